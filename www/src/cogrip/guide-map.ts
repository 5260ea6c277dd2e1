/** What a Guide would say with the gripper on each tile: the likeliest intent, as a colour, and a sign for each region. */

import { svg, type SVGTemplateResult } from "lit";
import { SIDE, type DecisionMap } from "../guide/backend";
import { COLORS } from "./art";
import { labelTile, middle, outline, regions, TILE, type Shown } from "./geometry";
import { glyph } from "./triangle";
import type { Act, Intent, Kind, Tile } from "./types";

/** The board as whoever looks on may see it. */
export interface SeenBoard {
  size: number;
  pieces: Shown[];
  gripper: Tile;
}

/** A board as the network is shown it: of each tile four times the number of its colour, from 1, and 1 more for the target's. */
export function networkTiles({ pieces }: SeenBoard): Uint8Array {
  const tiles = new Uint8Array(SIDE * SIDE);
  for (const { color, target, tiles: places } of pieces) {
    for (const [x, y] of places) tiles[y * SIDE + x] = 4 * (COLORS.indexOf(color) + 1) + (target ? 1 : 0);
  }
  return tiles;
}

/** In the order of the network's outputs. */
export const INTENTS: readonly Intent[] = [
  "silence", "confirm", "decline", "left", "right", "up", "down", "take", "pcs", "psc", "cps", "csp", "spc", "scp",
];
const KINDS: Record<Intent, Kind> = {
  silence: "silence", confirm: "confirm", decline: "decline",
  left: "directive", right: "directive", up: "directive", down: "directive", take: "directive",
  pcs: "reference", psc: "reference", cps: "reference", csp: "reference", spc: "reference", scp: "reference",
};

/** What is likeliest on one tile, and how likely it is there. */
export interface Likeliest {
  intent: Intent;
  kind: Kind;
  share: number;
}

export function likeliest({ logits }: Pick<DecisionMap, "logits">): Likeliest[] {
  const tiles = logits.length / INTENTS.length;
  return Array.from({ length: tiles }, (_, tile) => {
    const here = logits.subarray(tile * INTENTS.length, (tile + 1) * INTENTS.length);
    const shares = softmax(here);
    const share = Math.max(...shares);
    const intent = INTENTS[shares.indexOf(share)]!;
    return { intent, kind: KINDS[intent], share };
  });
}

/** How many tiles each kind has, the most first. */
export function kindCounts(map: Likeliest[]): [Kind, number][] {
  const counts = new Map<Kind, number>();
  for (const { kind } of map) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** Each tile in the colour of its kind. */
export function mapTints(map: Likeliest[], size: number): SVGTemplateResult {
  return svg`<g class="said">${map.map(({ kind, share }, tile) => {
    const [x, y] = [(tile % size) * TILE, Math.floor(tile / size) * TILE];
    return svg`<rect class=${kind} x=${x} y=${y} width=${TILE} height=${TILE} fill-opacity=${(0.1 + 0.4 * share).toFixed(2)} />`;
  })}</g>`;
}

/** From so many tiles on a region's sign is a large one. */
const LARGE = 12;

/** Around the tiles where one intent is likeliest goes a line, and among them stands its sign. */
export function mapSigns(map: Likeliest[], size: number): SVGTemplateResult {
  const rows = Array.from({ length: size }, (_, y) => map.slice(y * size, (y + 1) * size).map(({ intent }) => intent));
  const all = regions(rows);
  return svg`<g class="signs">
    ${all.map((tiles) => svg`<path class="region" d=${outline(tiles, 1.5, 6)} />`)}
    ${all.map((tiles) => {
      const at = labelTile(tiles);
      const sign = intentSign(rows[at[1]]![at[0]]!);
      const [x, y] = middle(at);
      return svg`<g transform="translate(${x} ${y}) scale(${tiles.length < LARGE ? 1 : 2})"><g class="halo">${sign}</g>${sign}</g>`;
    })}
  </g>`;
}

/** Every tile with the chance of each intent, as a table that programs read. */
export function mapCsv({ logits, values }: DecisionMap): string {
  const row = (tile: number) => {
    const shares = softmax(logits.subarray(tile * INTENTS.length, (tile + 1) * INTENTS.length));
    return [tile % SIDE, Math.floor(tile / SIDE), ...shares.map((share) => share.toFixed(6)), values[tile]!.toFixed(6)].join(",");
  };
  return `${[["x", "y", ...INTENTS, "value"].join(","), ...Array.from(values, (_, tile) => row(tile))].join("\n")}\n`;
}

function softmax(logits: Float32Array): number[] {
  const most = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp(logit - most));
  const sum = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / sum);
}

/** An intent as a sign: a point, a tick, a cross, an arrow, jaws, or the order in which a piece is named. */
export function intentSign(intent: Intent): SVGTemplateResult | ReturnType<typeof glyph> {
  switch (KINDS[intent]) {
    case "silence":
      return svg`<circle class="silent" r="2.5" />`;
    case "confirm":
      return svg`<path class="glyph" d="M-7 0l5 6 9-11" />`;
    case "decline":
      return svg`<path class="glyph" d="M-6 -6l12 12M6 -6l-12 12" />`;
    case "directive":
      return glyph(intent as Act);
    case "reference":
      return svg`<text y="6" text-anchor="middle">${intent}</text>`;
  }
}
