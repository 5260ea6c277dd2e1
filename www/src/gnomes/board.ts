/** `<tandem-gnomes-board>`: one side of a board, drawn. It knows no rules: what is open is told to it. */

import { css, html, LitElement, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { Action, Cell, Walls } from "../engine/types";
import { chest, chevron, gnome, stone } from "../look/art";

/** A cell's size in the drawing's own units, and the room around the grid. */
const SIZE = 60;
const MARGIN = 12;
const TURN: Record<Action, number> = { stay: 0, right: 0, down: 90, left: 180, up: 270 };
const STEP: Record<Action, Cell> = { stay: [0, 0], right: [1, 0], up: [0, -1], left: [-1, 0], down: [0, 1] };

/** A mark on an edge: what was believed of a wall there. */
export interface Mark {
  x: number;
  y: number;
  action: Action;
  kind: "right" | "wrong" | "unknown" | "believed";
}

export class GnomesBoard extends LitElement {
  static override properties = {
    width: { attribute: false },
    height: { attribute: false },
    walls: { attribute: false },
    token: { attribute: false },
    start: { attribute: false },
    treasure: { attribute: false },
    open: { attribute: false },
    interactive: { attribute: false },
    heat: { attribute: false },
    marks: { attribute: false },
    trail: { attribute: false },
    label: { attribute: false },
    bump: { attribute: false },
  };
  declare width: number;
  declare height: number;
  declare walls: Walls;
  declare token: Cell | null;
  declare start: Cell | null;
  declare treasure: Cell | null;
  declare open: Action[];
  /** Whether cells around the token can be pressed; a press fires `act`. */
  declare interactive: boolean;
  /** Where somebody believes the treasure: cells with probabilities. */
  declare heat: [number, number, number][] | null;
  declare marks: Mark[];
  /** Where the token has been this round. */
  declare trail: Cell[];
  declare label: string;
  /** A step that a wall has just stopped; the number tells one from the next. */
  declare bump: { action: Action; count: number } | null;

  constructor() {
    super();
    this.width = 0;
    this.height = 0;
    this.walls = { right: [], below: [] };
    this.token = null;
    this.start = null;
    this.treasure = null;
    this.open = [];
    this.interactive = false;
    this.heat = null;
    this.marks = [];
    this.trail = [];
    this.label = "";
    this.bump = null;
  }

  static override styles = css`
    :host {
      display: block;
      container-type: inline-size;
    }
    svg {
      display: block;
      width: 100%;
      height: 100%;
      max-height: inherit;
    }
    .ground {
      fill: var(--tandem-ground);
    }
    .paving {
      fill: none;
      stroke: var(--tandem-ground-line);
      stroke-width: 2;
      stroke-dasharray: 1 7;
      stroke-linecap: round;
    }
    .hedge {
      fill: none;
      stroke: var(--tandem-hedge);
      stroke-width: 11;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .leaves {
      fill: none;
      stroke: var(--tandem-hedge-leaf);
      stroke-width: 5;
      stroke-linecap: round;
      stroke-dasharray: 0.1 10;
    }
    .trail {
      fill: none;
      stroke: var(--tandem-line-strong);
      stroke-width: 3;
      stroke-dasharray: 2 7;
      stroke-linecap: round;
      opacity: 0.7;
    }
    .token {
      transition: transform 200ms ease-in-out;
    }
    .hint {
      color: var(--tandem-accent);
      opacity: 0.75;
    }
    .press {
      fill: transparent;
      cursor: pointer;
    }
    .press:hover {
      fill: var(--tandem-accent);
      fill-opacity: 0.14;
    }
    .heat {
      fill: var(--tandem-heat);
    }
    .mark {
      fill: none;
      stroke-width: 5;
      stroke-linecap: round;
    }
    .mark.right {
      stroke: var(--tandem-right);
    }
    .mark.wrong {
      stroke: var(--tandem-wrong);
      stroke-dasharray: 9 8;
    }
    .mark.believed {
      stroke: var(--tandem-heat);
      stroke-dasharray: 9 6;
    }
    .sign {
      fill: var(--tandem-surface);
      stroke-width: 2.5;
    }
    .sign.right {
      stroke: var(--tandem-right);
    }
    .sign.wrong {
      stroke: var(--tandem-wrong);
    }
    .sign.believed {
      stroke: var(--tandem-heat);
    }
    .glyph {
      fill: none;
      stroke: var(--tandem-ink);
      stroke-width: 3;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    @media (prefers-reduced-motion: no-preference) {
      .bumped {
        animation: bump 240ms ease-in-out;
      }
      .glow {
        animation: flicker 3s ease-in-out infinite;
      }
    }
    @keyframes bump {
      40% {
        transform: translate(calc(var(--dx) * 14px), calc(var(--dy) * 14px));
      }
      70% {
        transform: translate(calc(var(--dx) * -4px), calc(var(--dy) * -4px));
      }
    }
    @keyframes flicker {
      50% {
        opacity: 0.42;
      }
    }
    @media (prefers-reduced-motion: reduce) {
      .token {
        transition: none;
      }
    }
  `;

  protected override render(): TemplateResult {
    const [width, height] = [this.width * SIZE, this.height * SIZE];
    return html`
      <svg viewBox="${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}" role="img" aria-label=${this.label} part="board">
        <rect class="ground" x="0" y="0" width=${width} height=${height} rx="8" />
        <path class="paving" d=${this.#paving()} />
        ${this.start ? svg`<g transform=${this.#at(this.start)}>${stone}</g>` : nothing}
        ${(this.heat ?? []).map((spot) => this.#warmth(spot))}
        ${this.trail.length > 1 ? svg`<polyline class="trail" points=${this.trail.map((cell) => this.#middle(cell).join(",")).join(" ")} />` : nothing}
        ${this.treasure ? svg`<g transform=${this.#at(this.treasure)}>${chest}</g>` : nothing}
        ${this.#hints()}
        <path class="hedge" d=${this.#hedges()} />
        <path class="leaves" d=${this.#hedges()} />
        ${this.marks.map((mark) => this.#mark(mark))}
        ${this.#gnome()}
        ${this.#presses()}
      </svg>
    `;
  }

  #middle([x, y]: Cell): Cell {
    return [(x + 0.5) * SIZE, (y + 0.5) * SIZE];
  }

  #at(cell: Cell): string {
    return `translate(${this.#middle(cell).join(" ")})`;
  }

  #paving(): string {
    const across = Array.from({ length: this.height - 1 }, (_, y) => `M6 ${(y + 1) * SIZE}H${this.width * SIZE - 6}`);
    const along = Array.from({ length: this.width - 1 }, (_, x) => `M${(x + 1) * SIZE} 6V${this.height * SIZE - 6}`);
    return [...across, ...along].join("");
  }

  #hedges(): string {
    const [width, height] = [this.width * SIZE, this.height * SIZE];
    const right = this.walls.right.map(([x, y]) => `M${(x + 1) * SIZE} ${y * SIZE}v${SIZE}`);
    const below = this.walls.below.map(([x, y]) => `M${x * SIZE} ${(y + 1) * SIZE}h${SIZE}`);
    return [`M0 0H${width}V${height}H0Z`, ...right, ...below].join("");
  }

  #warmth([x, y, share]: [number, number, number]): SVGTemplateResult {
    const most = Math.max(...(this.heat ?? []).map(([, , other]) => other), 1e-9);
    const [cx, cy] = this.#middle([x, y]);
    const radius = 5 + 19 * Math.sqrt(share / most);
    return svg`<circle class="heat" cx=${cx} cy=${cy} r=${radius} opacity=${0.12 + (0.5 * share) / most}><title>${(100 * share).toFixed(1)} %</title></circle>`;
  }

  #hints(): unknown {
    if (!this.interactive || !this.token) return nothing;
    const [x, y] = this.#middle(this.token);
    return this.open
      .filter((action) => action !== "stay")
      .map((action) => {
        const [dx, dy] = STEP[action];
        return svg`<g class="hint" transform="translate(${x + dx * 0.62 * SIZE} ${y + dy * 0.62 * SIZE}) rotate(${TURN[action]})">${chevron}</g>`;
      });
  }

  #gnome(): unknown {
    if (!this.token) return nothing;
    const [x, y] = this.#middle(this.token);
    const [dx, dy] = this.bump ? STEP[this.bump.action] : [0, 0];
    // Two names for one motion: the change of name starts it anew.
    const bumped = this.bump ? "bumped" : "";
    return svg`<g class="token" style="transform: translate(${x}px, ${y}px)"><g class=${bumped} style="--dx: ${dx}; --dy: ${dy}">${gnome}</g></g>`;
  }

  /** The token's cell and its four neighbours can be pressed, walls or not: trying is part of the game. */
  #presses(): unknown {
    if (!this.interactive || !this.token) return nothing;
    const [x, y] = this.token;
    return (Object.entries(STEP) as [Action, Cell][])
      .map(([action, [dx, dy]]) => ({ action, cell: [x + dx, y + dy] as Cell }))
      .filter(({ cell }) => cell[0] >= 0 && cell[1] >= 0 && cell[0] < this.width && cell[1] < this.height)
      .map(
        ({ action, cell }) => svg`<rect class="press" data-action=${action} x=${cell[0] * SIZE} y=${cell[1] * SIZE} width=${SIZE} height=${SIZE}
          @click=${() => this.dispatchEvent(new CustomEvent("act", { detail: { action } }))} />`,
      );
  }

  #mark({ x, y, action, kind }: Mark): unknown {
    const [dx, dy] = STEP[action];
    const [cx, cy] = this.#middle([x, y]);
    const [ex, ey] = [cx + (dx * SIZE) / 2, cy + (dy * SIZE) / 2];
    const [ox, oy] = [(dy * SIZE) / 2 - dy * 6, (dx * SIZE) / 2 - dx * 6];
    const glyph = kind === "right" ? "M-4 0 L-1 4 L5 -4" : kind === "wrong" ? "M-4 -4 L4 4 M4 -4 L-4 4" : "M0 -3 V3 M-3 0 H3";
    if (kind === "unknown") return nothing;
    return svg`<g>
      <path class="mark ${kind}" d="M${ex - ox} ${ey - oy} L${ex + ox} ${ey + oy}" />
      <circle class="sign ${kind}" cx=${ex} cy=${ey} r="10" />
      <path class="glyph" transform="translate(${ex} ${ey})" d=${glyph} />
    </g>`;
  }
}
