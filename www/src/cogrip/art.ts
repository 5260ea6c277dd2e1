/** The drawings: the gripper, the pieces' patterns, and a piece as one rounded outline. */

import { nothing, svg, type SVGTemplateResult } from "lit";
import { labelTile, middle, outline, TILE, type Shown } from "./geometry";
import type { Color } from "./types";

export const COLORS: readonly Color[] = ["red", "green", "blue", "yellow", "brown", "purple"];

const INSET = 2.5;
const ROUND = 9;

/** A pattern for every colour, so that none stands alone. They need be defined once in every drawing. */
export const patterns: SVGTemplateResult = svg`
  <pattern id="red" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="grain" d="M5 0V10" stroke-width="2.6" /></pattern>
  <pattern id="green" width="10" height="10" patternUnits="userSpaceOnUse"><circle class="grain dot" cx="5" cy="5" r="1.9" /></pattern>
  <pattern id="blue" width="10" height="8" patternUnits="userSpaceOnUse"><path class="grain" d="M0 4q2.5 -3.4 5 0t5 0" stroke-width="2" /></pattern>
  <pattern id="yellow" width="10" height="10" patternUnits="userSpaceOnUse"><path class="grain" d="M5 2.6v4.8M2.6 5h4.8" stroke-width="1.8" /></pattern>
  <pattern id="brown" width="10" height="20" patternUnits="userSpaceOnUse"><path class="grain" d="M0 5H10M0 15H10M2.5 5V15M7.5 -5V5M7.5 15V25" stroke-width="1.6" /></pattern>
  <pattern id="purple" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="grain" d="M0 0h5v5h-5zM5 5h5v5h-5z" stroke="none" /></pattern>
`;

/** A piece, with its shape's letter on it. */
export function pieceArt(piece: Shown, name: string): SVGTemplateResult {
  const path = outline(piece.tiles, INSET, ROUND);
  const [x, y] = middle(labelTile(piece.tiles));
  return svg`
    <g class=${`piece ${piece.color}`}>
      <title>${name}</title>
      <path class="shade" d=${path} />
      <path class="body" d=${path} />
      <path d=${path} fill=${`url(#${piece.color})`} />
      <path class="rim" d=${outline(piece.tiles, INSET + 3.5, ROUND - 3)} />
      <circle class="badge" cx=${x} cy=${y} r="13" />
      <text class="letter" x=${x} y=${y + 7.5} text-anchor="middle">${piece.shape}</text>
    </g>
  `;
}

/** Around the target: what only the Guide sees. */
export function targetMark(piece: Shown): SVGTemplateResult {
  const ring = outline(piece.tiles, -4.5, 12);
  const [top, bottom] = [piece.tiles.toSorted((a, b) => a[1] - b[1] || a[0] - b[0])[0]!, piece.tiles.toSorted((a, b) => b[1] - a[1])[0]!];
  // From above, unless the edge of the board is there.
  const above = top[1] > 0;
  const [x, y] = middle(above ? top : bottom);
  const place = above ? `translate(${x} ${y - TILE / 2 - 4})` : `translate(${x} ${y + TILE / 2 + 4}) rotate(180)`;
  return svg`
    <g class="target">
      <path class="halo" d=${ring} /><path class="ring" d=${ring} />
      <g transform=${place}><path class="flag" d="M0 0 l-11 -17 h22 z" /></g>
    </g>
  `;
}

/** The gripper from above: a hub on its rods, and three jaws around the tile. */
export const gripper: SVGTemplateResult = svg`
  <g class="claw">
    <circle class="cast" cx="2" cy="4" r="25" />
    <circle class="hub" r="25" /><circle class="hub inner" r="25" />
    ${[0, 120, 240].map(
      (turn) => svg`<g transform="rotate(${turn})">
        <path class="jaw" d="M-10 -30 Q0 -37 10 -30 Q9 -20 1.5 -9 Q0 -7 -1.5 -9 Q-9 -20 -10 -30 Z" />
        <circle class="bolt" cy="-26" r="3" />
      </g>`,
    )}
  </g>
`;

/** A swatch with a colour's pattern, for legends and names. */
export function swatch(color: Color | null): SVGTemplateResult | typeof nothing {
  if (!color) return nothing;
  return svg`<defs>${patterns}</defs><g class=${`piece ${color}`}><rect class="body" x="1.5" y="1.5" width="25" height="25" rx="6" />
    <rect x="1.5" y="1.5" width="25" height="25" rx="6" fill=${`url(#${color})`} /></g>`;
}
