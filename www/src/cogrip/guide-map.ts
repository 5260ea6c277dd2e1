/** What a Guide would say with the gripper on each tile: the likeliest intent, as a colour and a sign. */

import { nothing, svg, type SVGTemplateResult } from "lit";
import { SIDE, type DecisionMap } from "../guide/backend";
import { COLORS } from "./art";
import { TILE, type Shown } from "./geometry";
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
    const most = Math.max(...here);
    const sum = here.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    const intent = INTENTS[here.indexOf(most)]!;
    return { intent, kind: KINDS[intent], share: 1 / sum };
  });
}

/** How many tiles each kind has, the most first. */
export function kindCounts(map: Likeliest[]): [Kind, number][] {
  const counts = new Map<Kind, number>();
  for (const { kind } of map) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** The intent that is likeliest on most tiles. */
export function commonest(map: Likeliest[]): Intent {
  const counts = new Map<Intent, number>();
  for (const { intent } of map) counts.set(intent, (counts.get(intent) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ["silence", 0] as [Intent, number])[0];
}

/** Each tile in the colour of its kind. */
export function mapTints(map: Likeliest[], size: number): SVGTemplateResult {
  return svg`<g class="said">${map.map(({ kind, share }, tile) => {
    const [x, y] = [(tile % size) * TILE, Math.floor(tile / size) * TILE];
    return svg`<rect class=${kind} x=${x} y=${y} width=${TILE} height=${TILE} fill-opacity=${(0.1 + 0.4 * share).toFixed(2)} />`;
  })}</g>`;
}

/** The signs of the tiles where it is not the commonest. */
export function mapSigns(map: Likeliest[], size: number): SVGTemplateResult {
  const usual = commonest(map);
  return svg`<g class="signs">${map.map(({ intent }, tile) => {
    if (intent === usual) return nothing;
    const [x, y] = [(tile % size) * TILE + TILE / 2, Math.floor(tile / size) * TILE + TILE / 2];
    return svg`<g transform="translate(${x} ${y})"><g class="halo">${intentSign(intent)}</g>${intentSign(intent)}</g>`;
  })}</g>`;
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
