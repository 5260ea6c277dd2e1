/** What was said, in order; silences are counted, not listed. */

import { html, nothing, type TemplateResult } from "lit";
import { fill, type Texts } from "../texts/en";
import type { View } from "./types";

/** Words of a person that were not understood, and the answer. */
export interface Puzzle {
  round: number;
  step: number;
  text: string;
  answer: string;
}

export type Entry =
  | { kind: "round"; round: number }
  | { kind: "silence"; steps: number }
  | { kind: "said"; step: number; text: string; sentence: string }
  | { kind: "puzzle"; text: string; answer: string };

/** The talk of a game, with its silences and what was not understood. */
export function entries(view: View, puzzles: Puzzle[] = []): Entry[] {
  const list: Entry[] = [];
  let round = 0;
  const now = { round: view.round, step: view.step };
  const pending = view.turn === null ? [] : [now];
  for (const step of [...view.history.map(({ round, step }) => ({ round, step })), ...pending]) {
    const same = (other: { round: number; step: number }) => other.round === step.round && other.step === step.step;
    if (step.round !== round && view.rounds > 1) list.push({ kind: "round", round: step.round });
    round = step.round;
    for (const { text, answer } of puzzles.filter(same)) list.push({ kind: "puzzle", text, answer });
    const message = view.messages.find(same);
    const last = list.at(-1);
    if (message) list.push({ kind: "said", step: step.step, text: message.text, sentence: message.sentence });
    else if (step === now && view.heard === null) continue;
    else if (last?.kind === "silence") last.steps += 1;
    else list.push({ kind: "silence", steps: 1 });
  }
  return list;
}

export function talk(view: View, puzzles: Puzzle[], texts: Texts): TemplateResult {
  const list = entries(view, puzzles);
  const mine = view.seat === 0 ? "mine" : "theirs";
  return html`
    <section class="talk" part="chat">
      <h3>${texts.gripTalk}</h3>
      <div class="log" role="log" aria-live="off" aria-label=${texts.gripTalk} tabindex="0">
        ${list.length === 0 ? html`<p class="soft">${texts.gripTalkEmpty}</p>` : nothing}
        ${list.map((entry) => line(entry, mine, texts))}
      </div>
    </section>
  `;
}

function line(entry: Entry, mine: string, texts: Texts): TemplateResult {
  switch (entry.kind) {
    case "round":
      return html`<p class="divider"><span>${fill(texts.gripRoundShort, entry)}</span></p>`;
    case "silence":
      return html`<p class="pause">${entry.steps === 1 ? texts.gripSilenceOne : fill(texts.gripSilenceMany, { n: entry.steps })}</p>`;
    case "puzzle":
      return html`<p class="bubble mine">${entry.text}</p><p class="bubble answer" part="answer">${entry.answer}</p>`;
    case "said":
      return html`<p class=${`bubble ${mine}`} part="bubble">
        <span class="step">${entry.step + 1}</span> ${entry.text}
        ${entry.text === entry.sentence ? nothing : html`<small>${fill(texts.gripHeardAs, entry)}</small>`}
      </p>`;
  }
}
