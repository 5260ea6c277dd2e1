/**
 * `<tandem-cogrip-board>`: the whole board, or the Follower's cut of it with the gripper in its middle. Where it is a
 * person's to play it can be pressed: towards a side of it is a step, on the gripper is a take.
 */

import { html, LitElement, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { en, type Texts } from "../texts/en";
import { gripper, patterns, pieceArt, targetMark } from "./art";
import { boardStyles } from "./board-styles";
import { beyond, middle, piecesInCut, thirds, TILE, type Shown } from "./geometry";
import type { Act, CutTile, Tile } from "./types";
import { actNames, areaNames, boardTable, shownName } from "./words";

const MARGIN = 14;
const SLIDE_MILLIS = 180;
/** How many tiles of sight there are around the gripper, on each side. */
const REACH = 5;

export class TandemCogripBoard extends LitElement {
  static override styles = boardStyles;
  static override properties = {
    size: { type: Number },
    pieces: { attribute: false },
    cut: { attribute: false },
    gripper: { attribute: false },
    trail: { attribute: false },
    sight: { type: Boolean },
    goal: { attribute: false },
    path: { attribute: false },
    tints: { attribute: false },
    signs: { attribute: false },
    interactive: { type: Boolean },
    ready: { type: Boolean },
    readable: { type: Boolean },
    label: { type: String },
    texts: { attribute: false },
  };

  declare size: number;
  declare pieces: Shown[];
  /** In place of `pieces`: rows of tiles around the gripper. */
  declare cut: CutTile[][] | null;
  declare gripper: Tile | null;
  /** Where the gripper was, the latest last. */
  declare trail: Tile[];
  /** Whether the Follower's sight is drawn on a whole board. */
  declare sight: boolean;
  /** Where the Follower is going. */
  declare goal: Tile | null;
  /** The tiles it means to go by. */
  declare path: Tile[];
  /** Drawn under a whole board's pieces, and over them. */
  declare tints: SVGTemplateResult | null;
  declare signs: SVGTemplateResult | null;
  declare interactive: boolean;
  /** It is the person's turn. */
  declare ready: boolean;
  /** There is a table of it for screen readers. */
  declare readable: boolean;
  declare label: string;
  declare texts: Texts;
  #before: Tile | null = null;

  constructor() {
    super();
    this.size = 0;
    this.pieces = [];
    this.cut = this.gripper = this.goal = this.tints = this.signs = null;
    this.trail = [];
    this.path = [];
    this.sight = this.interactive = this.ready = this.readable = false;
    this.label = "";
    this.texts = en;
  }

  /** Tiles along a side of what is drawn. */
  get #side(): number {
    return this.cut?.length ?? this.size;
  }

  /** The tile of the board that is drawn top left. */
  get #origin(): Tile {
    if (!this.cut || !this.gripper) return [0, 0];
    const half = this.cut.length >> 1;
    return [this.gripper[0] - half, this.gripper[1] - half];
  }

  /** Of a cut the world moves, not the gripper: it slides to its new place. */
  protected override updated(changed: PropertyValues): void {
    if (!changed.has("gripper")) return;
    const before = this.#before;
    this.#before = this.gripper;
    if (!this.cut || !before || !this.gripper) return;
    const [dx, dy] = [this.gripper[0] - before[0], this.gripper[1] - before[1]];
    if (Math.abs(dx) + Math.abs(dy) !== 1 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const from = `translate(${dx * TILE}px, ${dy * TILE}px)`;
    this.renderRoot.querySelector(".world")?.animate([{ transform: from }, { transform: "none" }], { duration: SLIDE_MILLIS, easing: "ease-out" });
  }

  protected override render(): TemplateResult | typeof nothing {
    const side = this.#side;
    if (side === 0) return nothing;
    const wide = side * TILE;
    const hidden = this.readable ? "true" : undefined;
    return html`
      <svg
        part="board"
        viewBox="${-MARGIN} ${-MARGIN} ${wide + 2 * MARGIN} ${wide + 2 * MARGIN}"
        role=${this.readable ? "presentation" : "img"}
        aria-label=${ifDefined(this.readable ? undefined : this.label)}
        aria-hidden=${ifDefined(hidden)}
      >
        <defs>
          ${patterns}
          <pattern id="beyond" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path class="hatch" d="M6 0V12" />
          </pattern>
          <clipPath id="window"><rect width=${wide} height=${wide} rx="6" /></clipPath>
        </defs>
        <rect class="frame" x=${-MARGIN + 2} y=${-MARGIN + 2} rx="16" width=${wide + 2 * MARGIN - 4} height=${wide + 2 * MARGIN - 4} />
        <rect class="bench" width=${wide} height=${wide} rx="6" />
        <g clip-path="url(#window)"><g class=${this.cut ? "world" : "world whole"}>${this.cut ? this.#cutWorld(this.cut) : this.#wholeWorld()}</g></g>
        ${this.cut ? nothing : this.#sightWindow()}
        ${this.#gripperArt()}
      </svg>
      ${this.interactive ? this.#hand() : nothing}
      ${this.readable ? boardTable(this.cut ? { cut: this.cut } : { pieces: this.pieces, gripper: this.gripper }, this.texts) : nothing}
    `;
  }

  #wholeWorld(): SVGTemplateResult {
    const name = (piece: Shown) => shownName(piece, this.texts);
    return svg`
      ${grid(this.size)} ${this.#areas()}
      ${this.#trailArt()}
      ${this.tints ?? nothing}
      ${this.pieces.map((piece) => pieceArt(piece, name(piece)))}
      ${this.signs ?? nothing}
      ${this.pieces.filter(({ target }) => target).map(targetMark)}
      ${this.#planArt()}
    `;
  }

  #cutWorld(cut: CutTile[][]): SVGTemplateResult {
    const [ox, oy] = this.#origin;
    const pieces = piecesInCut(cut);
    return svg`
      <g transform="translate(${-ox * TILE} ${-oy * TILE})">
        ${grid(this.size)} ${this.#areas()} ${this.#trailArt()}
      </g>
      ${pieces.map((piece) => pieceArt(piece, shownName(piece, this.texts)))}
      ${beyond(cut).map(([x, y]) => svg`<rect class="out" x=${x * TILE - 0.5} y=${y * TILE - 0.5} width=${TILE + 1} height=${TILE + 1} />`)}
      ${beyond(cut).map(([x, y]) => svg`<rect fill="url(#beyond)" x=${x * TILE} y=${y * TILE} width=${TILE} height=${TILE} />`)}
      <rect class="edge" x=${-ox * TILE} y=${-oy * TILE} width=${this.size * TILE} height=${this.size * TILE} />
      <g transform="translate(${-ox * TILE} ${-oy * TILE})">${this.#planArt()}</g>
    `;
  }

  /** Thirds of the board, faintly, and their names. */
  #areas(): SVGTemplateResult {
    const starts = thirds(this.size);
    const names = areaNames(this.texts);
    const end = this.size * TILE;
    const lines = starts.slice(1).map((at) => `M${at * TILE} 0V${end}M0 ${at * TILE}H${end}`).join("");
    return svg`
      <path class="area" d=${lines} />
      ${starts.flatMap((y, row) =>
        starts.map((x, column) => svg`<text class="name" x=${x * TILE + 7} y=${y * TILE + 21}>${names[row * 3 + column]}</text>`),
      )}
    `;
  }

  #trailArt(): SVGTemplateResult | typeof nothing {
    if (this.trail.length < 2) return nothing;
    const points = this.trail.map((tile) => middle(tile).join(" "));
    const [x, y] = middle(this.trail[0]!);
    return svg`<path class="trail" d="M${points.join("L")}" /><circle class="start" cx=${x} cy=${y} r="6" />`;
  }

  /** Where the Follower means to go. */
  #planArt(): SVGTemplateResult | typeof nothing {
    if (!this.goal && this.path.length === 0) return nothing;
    const way = this.gripper && this.path.length > 0 ? [this.gripper, ...this.path].map((tile) => middle(tile).join(" ")) : [];
    const [x, y] = this.goal ? middle(this.goal) : [0, 0];
    return svg`
      ${way.length > 0 ? svg`<path class="plan under" d="M${way.join("L")}" /><path class="plan" d="M${way.join("L")}" />` : nothing}
      ${this.goal ? svg`<g class="goal" transform="translate(${x} ${y})"><circle r="11" /><path d="M-16 0h9M16 0h-9M0 -16v9M0 16v-9" /></g>` : nothing}
    `;
  }

  /** What the Follower can see, cut off at the edge of the board. */
  #sightWindow(): SVGTemplateResult | typeof nothing {
    if (!this.sight || !this.gripper) return nothing;
    const [x, y] = this.gripper;
    const from = (at: number) => Math.max(0, at - REACH) * TILE;
    const to = (at: number) => Math.min(this.size, at + REACH + 1) * TILE;
    const [left, top, right, bottom, all] = [from(x), from(y), to(x), to(y), this.size * TILE];
    return svg`
      <path class="unseen-part" fill-rule="evenodd" d="M0 0H${all}V${all}H0ZM${left} ${top}V${bottom}H${right}V${top}Z" />
      <rect class="sight" x=${left + 1.5} y=${top + 1.5} width=${right - left - 3} height=${bottom - top - 3} rx="8" />
    `;
  }

  #gripperArt(): SVGTemplateResult | typeof nothing {
    if (!this.gripper) return nothing;
    const [ox, oy] = this.#origin;
    const [x, y] = middle([this.gripper[0] - ox, this.gripper[1] - oy]);
    // The property, not the attribute: a strict policy forbids that one.
    return svg`<g class="gripper" .style=${`transform: translate(${x}px, ${y}px)`}>${gripper}</g>`;
  }

  #hand(): TemplateResult {
    const names = actNames(this.texts);
    return html`<div class="hand">
      ${(["up", "right", "down", "left", "take"] as const).map(
        (act) => html`<button type="button" tabindex="-1" class=${act} aria-label=${names[act]} ?disabled=${!this.ready}
          @click=${() => this.#press(act)}></button>`,
      )}
    </div>`;
  }

  #press(act: Act): void {
    this.dispatchEvent(new CustomEvent("step", { detail: { act } }));
  }
}

function grid(size: number): SVGTemplateResult {
  const all = size * TILE;
  const lines = Array.from({ length: size - 1 }, (_, at) => `M${(at + 1) * TILE} 0v${all}M0 ${(at + 1) * TILE}h${all}`).join("");
  return svg`<path class="grid" d=${lines} />`;
}
