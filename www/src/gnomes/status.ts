/** The status line: rounds, turns, time, and whose turn it is. */

import { html, svg, type TemplateResult } from "lit";
import type { View } from "./types";
import { fill, type Texts } from "../texts/en";
import { minutes } from "../texts/time";

interface Standing {
  /** Milliseconds of the session. */
  clock: number;
  thinking: boolean;
  locked: boolean;
  texts: Texts;
}

export function statusLine(view: View, { clock, thinking, texts }: Standing): TemplateResult {
  const turns = view.turns === 1 ? texts.oneTurn : fill(texts.turns, view);
  const mine = view.turn === view.seat;
  const whose = view.turn === null ? texts.gameOver : mine ? texts.yourTurn : thinking ? texts.thinking : texts.partnerTurn;
  const side = view.turn === null ? "over" : mine ? "mine" : "theirs";
  return html`
    <div class="status" part="status">
      <span class="rounds">
        ${roundPips(view)}
        <b>${fill(texts.round, view)}</b>
      </span>
      <span>${turns}</span>
      <span class="time"><span class="unseen">${texts.time}: </span>${minutes(clock)}</span>
      <span class=${`turn ${side}`} part="turn">${turnSign(side)} ${whose}</span>
    </div>
  `;
}

/** A chest for every round: full ones are found, the outlined one is sought now. */
function roundPips({ rounds, round, finished, turn }: View): TemplateResult {
  const pips = Array.from({ length: rounds }, (_, index) => {
    const past = finished[index];
    const state = past ? (past.treasure ? "found" : "given-up") : index + 1 === round && turn !== null ? "now" : "ahead";
    return html`<svg class=${`pip ${state}`} viewBox="-12 -12 24 24" aria-hidden="true">
      ${svg`<path d="M-8 -1 v-2 q0 -5 5 -5 h6 q5 0 5 5 v2 z M-8 -1 h16 v9 h-16 z" /><path d="M0 -3 v4" />`}
    </svg>`;
  });
  return html`<span class="pips">${pips}</span>`;
}

/** Shapes, so that colour does not stand alone: a full circle is you, a hat your partner. */
function turnSign(side: string): TemplateResult {
  const shape = side === "theirs" ? svg`<path d="M2 -9 L9 8 H-9 Z" />` : svg`<circle r="7" />`;
  return html`<svg class="sign" viewBox="-12 -12 24 24" aria-hidden="true">${shape}</svg>`;
}
