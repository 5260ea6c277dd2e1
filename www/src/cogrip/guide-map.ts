/** What a Guide would say with the gripper on each tile: the likeliest intent as a sign, the surer the darker. */

import { svg, type SVGTemplateResult } from "lit";
import type { BoardMap } from "../guide";
import { TILE } from "./geometry";
import { glyph } from "./triangle";
import type { Act, Intent, Kind } from "./types";

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

export function likeliest({ logits }: Pick<BoardMap, "logits">): Likeliest[] {
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

export function mapArt(map: Likeliest[], size: number): SVGTemplateResult {
  return svg`<g class="said">${map.map(({ intent, kind, share }, tile) => {
    const [x, y] = [(tile % size) * TILE, Math.floor(tile / size) * TILE];
    return svg`<g class=${kind} transform="translate(${x + TILE / 2} ${y + TILE / 2})">
      <rect x=${-TILE / 2} y=${-TILE / 2} width=${TILE} height=${TILE} fill-opacity=${(0.1 + 0.4 * share).toFixed(2)} />${intentSign(intent)}
    </g>`;
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
