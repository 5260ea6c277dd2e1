/** The status line: step, effort, round, time, and whose turn it is. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { fill, type Texts } from "../texts/en";
import { minutes } from "../texts/time";
import type { View } from "./types";

interface Standing {
  /** Milliseconds of the session. */
  clock: number;
  texts: Texts;
}

/** The step that is being played, from 1. */
export function stepNow({ step, most_steps: most, turn }: View): { step: number; most: number } {
  return { step: turn === null ? step : Math.min(step + 1, most), most };
}

export function whose(view: View, texts: Texts): string {
  if (view.turn === null) return texts.gripOver;
  if (view.turn === view.seat) return view.seat === 0 ? texts.gripYourTurnGuide : texts.gripYourTurnFollower;
  return view.turn === 0 ? texts.gripGuideTurn : texts.gripFollowerTurn;
}

export function statusLine(view: View, { clock, texts }: Standing): TemplateResult {
  const { step, most } = stepNow(view);
  const side = view.turn === null ? "over" : view.turn === view.seat ? "mine" : "theirs";
  return html`
    <div class="status" part="status">
      <span class="steps">
        <svg class="meter" viewBox="0 0 ${most * 4} 16" aria-hidden="true">
          ${Array.from({ length: most }, (_, at) => svg`<rect class=${at < view.step ? "past" : at + 1 === step ? "now" : ""} x=${at * 4 + 0.5} y=${at % 5 === 4 ? 1 : 3} width="3" height=${at % 5 === 4 ? 14 : 10} rx="1" />`)}
        </svg>
        <b>${fill(texts.gripStep, { step, most })}</b>
      </span>
      <span title=${texts.gripEffortWhat}>${fill(texts.gripEffort, { effort: view.effort.toFixed(1) })}</span>
      ${view.rounds > 1 ? html`<span>${fill(texts.gripRound, view)}</span>` : nothing}
      <span class="time"><span class="unseen">${texts.time}: </span>${minutes(clock)}</span>
      <span class=${`turn ${side}`} part="turn">${turnSign(side)} ${whose(view, texts)}</span>
    </div>
  `;
}

/** Shapes, so that colour does not stand alone: a full circle is you, a triangle your partner. */
function turnSign(side: string): TemplateResult {
  const shape = side === "theirs" ? svg`<path d="M0 -9 L9 8 H-9 Z" />` : svg`<circle r="7" />`;
  return html`<svg class="sign" viewBox="-12 -12 24 24" aria-hidden="true">${shape}</svg>`;
}
