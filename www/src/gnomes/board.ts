/** `<tandem-gnomes-board>`: one side of a board, drawn; where it is a person's to play, also pressed, swiped and read. */

import { html, LitElement, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import type { Action, Cell, Walls } from "./types";
import { en, fill, type Texts } from "../texts/en";
import { chest, chestOpen, door, gnome, impact, lanternLight, scatter, stars } from "./art";
import { boardStyles } from "./board-styles";
import { boardTable, stepNames } from "./describe";
import * as geometry from "./geometry";
import { CELL, MARGIN, middle, type BeliefMark } from "./geometry";

const SHORTEST_SWIPE = 24;
const BUMP = 0.22;

export class TandemGnomesBoard extends LitElement {
  static override styles = boardStyles;
  static override properties = {
    width: { type: Number },
    height: { type: Number },
    walls: { attribute: false },
    token: { attribute: false },
    start: { attribute: false },
    treasure: { attribute: false },
    found: { attribute: false },
    open: { attribute: false },
    interactive: { type: Boolean },
    ready: { type: Boolean },
    heat: { attribute: false },
    trail: { attribute: false },
    refused: { attribute: false },
    marks: { attribute: false },
    label: { type: String },
    texts: { attribute: false },
  };

  declare width: number;
  declare height: number;
  declare walls: Walls;
  declare token: Cell | null;
  declare start: Cell | null;
  declare treasure: Cell | null;
  /** The treasure is found: it lies open. */
  declare found: boolean;
  /** Steps that the drawing offers; the others are walls. */
  declare open: Action[];
  /** A person's board: it can be pressed and has a table for screen readers. */
  declare interactive: boolean;
  /** It is the person's turn. */
  declare ready: boolean;
  /** Cells and how probable the treasure is there. */
  declare heat: [x: number, y: number, probability: number][] | null;
  /** Cells the token came by, the latest last. */
  declare trail: Cell[];
  /** Steps that somebody believes impossible. */
  declare refused: [x: number, y: number, action: Action][];
  declare marks: BeliefMark[];
  declare label: string;
  declare texts: Texts;
  #pressed: { x: number; y: number } | null = null;
  #swiped = false;

  constructor() {
    super();
    this.width = this.height = 0;
    this.walls = { right: [], below: [] };
    this.token = this.start = this.treasure = this.heat = null;
    this.found = this.interactive = this.ready = false;
    this.open = [];
    this.trail = [];
    this.refused = [];
    this.marks = [];
    this.label = "";
    this.texts = en;
  }

  /** Shows that a wall stopped a step. */
  bump(action: Action): void {
    const art = this.renderRoot.querySelector(".jolt");
    const [dx, dy] = geometry.STEPS[action];
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (art && !still) {
      const there = `translate(${dx * CELL * BUMP}px, ${dy * CELL * BUMP}px)`;
      art.animate([{ transform: "none" }, { transform: there }, { transform: "none" }], { duration: 220, easing: "ease-out" });
    }
    const mark = this.renderRoot.querySelector<SVGGElement>(".impact");
    if (!mark || !this.token) return;
    const [x, y] = geometry.edgeMiddle(this.token, action);
    mark.setAttribute("transform", `translate(${x} ${y})`);
    mark.animate([{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], { duration: still ? 1500 : 900 });
  }

  protected override willUpdate(_: PropertyValues): void {
    this.toggleAttribute("data-ready", this.interactive && this.ready);
    this.style.setProperty("--ratio", String((this.width * CELL + 2 * MARGIN) / (this.height * CELL + 2 * MARGIN)));
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.width === 0) return nothing;
    const box = `${-MARGIN} ${-MARGIN} ${this.width * CELL + 2 * MARGIN} ${this.height * CELL + 2 * MARGIN}`;
    const drawing = html`
      <svg
        part="board"
        viewBox=${box}
        role=${this.interactive ? "presentation" : "img"}
        aria-label=${ifDefined(this.interactive ? undefined : this.label)}
        aria-hidden=${ifDefined(this.interactive ? "true" : undefined)}
      >
        ${this.#floor()} ${this.#trailDots()} ${this.#things()} ${this.#hedges()} ${this.#beliefs()} ${this.#tokenArt()}
        <g class="impact" opacity="0">${impact}</g>
      </svg>
    `;
    if (!this.interactive) return drawing;
    return html`${drawing} ${this.#hand()} ${boardTable(this, this.texts)}`;
  }

  #floor(): SVGTemplateResult {
    const cells: SVGTemplateResult[] = [];
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        const [cx, cy] = middle([x, y]);
        cells.push(svg`<rect class=${(x + y) % 2 ? "tile other" : "tile"} x=${x * CELL} y=${y * CELL} width=${CELL} height=${CELL} />
          <g transform="translate(${cx} ${cy})">${stars(x, y)}${scatter(x, y)}</g>`);
      }
    }
    const slab = svg`<rect class="slab" x=${-MARGIN + 2} y=${-MARGIN + 2} rx="26"
      width=${this.width * CELL + 2 * MARGIN - 4} height=${this.height * CELL + 2 * MARGIN - 4} />`;
    return svg`<g>${slab}${cells}</g>`;
  }

  /** Footprints of the last steps, fainter the older. */
  #trailDots(): SVGTemplateResult {
    const last = this.trail.slice(-12);
    const prints = last.map((cell, index) => {
      const before = last[index - 1] ?? this.start ?? cell;
      if (geometry.same(before, cell)) return nothing;
      const [x, y] = middle(cell);
      const [fx, fy] = middle(before);
      const faint = 0.25 + (0.6 * (index + 1)) / last.length;
      const dots = [0.2, 0.4, 0.6, 0.8].map((part, step) => {
        const side = step % 2 ? 6 : -6;
        const across = fx === x ? [side, 0] : [0, side];
        return svg`<circle r="5" cx=${fx + (x - fx) * part + across[0]!} cy=${fy + (y - fy) * part + across[1]!} />`;
      });
      return svg`<g opacity=${faint.toFixed(2)}>${dots}</g>`;
    });
    return svg`<g class="trail">${prints}</g>`;
  }

  #things(): SVGTemplateResult {
    const at = (cell: Cell, art: SVGTemplateResult) => svg`<g transform="translate(${middle(cell).join(" ")})">${art}</g>`;
    return svg`
      ${this.start ? at(this.start, door) : nothing}
      ${this.treasure ? at(this.treasure, svg`<circle class="glow" r="44" />${this.found ? chestOpen : chest}`) : nothing}
    `;
  }

  #hedges(): SVGTemplateResult {
    const path = geometry.borderPath(this.width, this.height) + geometry.wallPath(this.walls);
    return svg`<g class="hedges" fill="none" stroke-linecap="round">
      <path class="shade" d=${path} /><path class="stem" d=${path} /><path class="leaves" d=${path} />
      <path class="tops" d=${path} /><path class="light" d=${path} />
    </g>`;
  }

  #beliefs(): SVGTemplateResult {
    const heat = (this.heat ?? []).map(([x, y, p]) => {
      const [cx, cy] = middle([x, y]);
      const percent = `${(100 * p).toFixed(p < 0.1 ? 1 : 0)}%`;
      return svg`<circle class="heat" cx=${cx} cy=${cy} r=${(4 + 40 * Math.sqrt(p)).toFixed(1)}><title>${percent}</title></circle>`;
    });
    const hidden = [...new Set(this.refused.flatMap(([x, y, action]) => geometry.edgeKey([x, y], action) ?? []))];
    return svg`<g class="beliefs">
      ${heat}
      ${hidden.map((key) => edgeMark(key, "hidden"))}
      ${this.marks.map(({ cell, action, kind }) => edgeMark(geometry.edgeKey(cell, action)!, kind))}
    </g>`;
  }

  #tokenArt(): SVGTemplateResult | typeof nothing {
    if (!this.token) return nothing;
    const [x, y] = middle(this.token);
    // The property, not the attribute: a strict policy forbids that one.
    const place = `transform: translate(${x}px, ${y}px)`;
    return svg`
      <clipPath id="garden"><rect width=${this.width * CELL} height=${this.height * CELL} /></clipPath>
      <g clip-path="url(#garden)"><g class="token" .style=${place}>${lanternLight}</g></g>
      <g class="token" .style=${place}><g class="jolt">${gnome}</g></g>
    `;
  }

  /** The cells within reach, as buttons over the drawing; keys go to the board as a whole. */
  #hand(): TemplateResult | typeof nothing {
    if (!this.token) return nothing;
    const token = this.token;
    const reach = geometry.ACTIONS.filter((action) => geometry.inside(geometry.towards(token, action), this.width, this.height));
    return html`<div class="hand">
      ${reach.map((action) => {
        const open = this.open.includes(action);
        const name = fill(open ? this.texts.stepTo : this.texts.stepBlocked, { action: stepNames(this.texts)[action] });
        return html`<button
          type="button"
          tabindex="-1"
          class=${`${action} ${open ? "open" : "shut"}`}
          .style=${this.#place(geometry.towards(token, action))}
          aria-label=${action === "stay" ? this.texts.stepStay : name}
          ?disabled=${!this.ready}
          @click=${() => this.#press(action)}
          @pointerdown=${(event: PointerEvent) => this.#down(event)}
          @pointerup=${(event: PointerEvent) => this.#up(event)}
        ></button>`;
      })}
    </div>`;
  }

  #place([x, y]: Cell): string {
    const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
    const wide = this.width * CELL + 2 * MARGIN;
    const high = this.height * CELL + 2 * MARGIN;
    const corner = `left: ${percent(x * CELL + MARGIN, wide)}; top: ${percent(y * CELL + MARGIN, high)}`;
    return `${corner}; width: ${percent(CELL, wide)}; height: ${percent(CELL, high)}`;
  }

  #down(event: PointerEvent): void {
    this.#pressed = { x: event.clientX, y: event.clientY };
    this.#swiped = false;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  }

  /** A swipe that began near the token; the click that follows it is not another step. */
  #up(event: PointerEvent): void {
    const from = this.#pressed;
    this.#pressed = null;
    const action = from && geometry.swipe(event.clientX - from.x, event.clientY - from.y, SHORTEST_SWIPE);
    if (!action) return;
    this.#swiped = true;
    this.#step(action);
  }

  #press(action: Action): void {
    if (this.#swiped) this.#swiped = false;
    else this.#step(action);
  }

  #step(action: Action): void {
    this.dispatchEvent(new CustomEvent("step", { detail: { action } }));
  }
}

function edgeMark(key: string, kind: BeliefMark["kind"] | "hidden"): SVGTemplateResult {
  const { cell, action } = geometry.edgeOf(key);
  const [x, y] = geometry.edgeMiddle(cell, action);
  return svg`<g transform="translate(${x} ${y})">${edgeShape(kind)}</g>`;
}

/** What is believed about an edge, as a sign of its own shape. */
export function edgeShape(kind: BeliefMark["kind"] | "hidden"): SVGTemplateResult {
  const shape = {
    right: svg`<circle r="18" /><path d="M-8 0 l6 7 l11 -13" />`,
    wrong: svg`<rect x="-16" y="-16" width="32" height="32" rx="4" transform="rotate(45)" /><path d="M-7 -7 l14 14 M7 -7 l-14 14" />`,
    unknown: svg`<circle r="9" />`,
    hidden: svg`<circle r="15" /><path d="M-6 -6 l12 12 M6 -6 l-12 12" />`,
  }[kind];
  return svg`<g class=${`edge ${kind}`}>${shape}</g>`;
}
