/** What the page says about saving: a few words while playing, all of it at the end. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { button } from "../element/panels";
import { fill, type Texts } from "../texts/en";
import type { Progress, State } from "./machine";

/** One line, under the game. */
export function savingLine(texts: Texts, progress: Progress): TemplateResult {
  const { state } = progress;
  return html`<span class="saving" part="saving" role="status" data-state=${state}>${mark(state === "saved" ? "sending" : state)} ${brief(texts, state, false)}</span>`;
}

export interface SavingActions {
  download(): void;
  retry(): void;
}

/** After the game: what exactly is saved, and the file for the person's own hands. */
export function savingPanel(texts: Texts, progress: Progress, actions: SavingActions): TemplateResult {
  const { state, rows, acknowledged, message } = progress;
  const values = { rows, acknowledged };
  const advice = { saved: null, sending: texts.savingStay, offline: texts.savingStayOffline, trouble: texts.savingStay, refused: texts.savingHand }[state];
  return html`
    <section class="saving-end" part="saving" role="status" data-state=${state}>
      <div class="said">
        <p class="head">${mark(state)} <b>${brief(texts, state, true)}</b></p>
        <p>${fill(state === "saved" ? texts.savingAll : texts.savingSome, values)} ${advice ?? nothing}</p>
        ${message && state !== "saved" ? html`<p class="small">${fill(texts.savingServer, { message })}</p>` : nothing}
      </div>
      <div class="buttons">
        ${button(texts.download, actions.download, state === "refused")}
        ${state === "refused" || state === "trouble" ? button(texts.retry, actions.retry) : nothing}
      </div>
    </section>
  `;
}

/** While the game is on, nothing is claimed of rows that come and go. */
function brief(texts: Texts, state: State, over: boolean): string {
  const words = {
    saved: over ? texts.savingSavedEnd : texts.savingPlaying,
    sending: over ? texts.savingSending : texts.savingPlaying,
    offline: texts.savingOffline,
    trouble: texts.savingTrouble,
    refused: texts.savingRefused,
  };
  return words[state];
}

/** Each state has a shape of its own, so that colour never stands alone. */
function mark(state: State): TemplateResult {
  const shape = {
    saved: svg`<path d="M3 8.5l3.2 3.2L13 5" />`,
    sending: svg`<path d="M8 13V3M4 7l4-4 4 4" />`,
    offline: svg`<circle cx="8" cy="8" r="5.5" /><path d="M8 5v3.2l2 1.6" />`,
    trouble: svg`<circle cx="8" cy="8" r="5.5" /><path d="M8 5v3.2l2 1.6" />`,
    refused: svg`<path d="M4 4l8 8M12 4l-8 8" />`,
  };
  return html`<svg viewBox="0 0 16 16" aria-hidden="true">${shape[state]}</svg>`;
}
