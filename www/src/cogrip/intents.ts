/** What a Guide can say now: the fourteen intents with their very words and what they cost. */

import { html, nothing, type TemplateResult } from "lit";
import type { Texts } from "../texts/en";
import { glyph } from "./triangle";
import type { Act, GuideSees, Intent, Phrase } from "./types";

/** The keys of the board that say something. */
export const GUIDE_KEYS: Record<string, Intent> = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", " ": "take",
  s: "silence", y: "confirm", n: "decline", 1: "pcs", 2: "psc", 3: "cps", 4: "csp", 5: "spc", 6: "scp",
};

export function intents({ phrases }: GuideSees, ready: boolean, say: (intent: Intent) => void, texts: Texts): TemplateResult {
  const kinds = (...kinds: Phrase["kind"][]) => phrases.filter(({ kind }) => kinds.includes(kind));
  const button = (phrase: Phrase, sign: unknown = nothing) => {
    const { intent, effort, sentence } = phrase;
    return html`<button type="button" class=${`say ${intent}`} part="intent" data-intent=${intent} ?disabled=${!ready} @click=${() => say(intent)}>
      ${sign}<span class="words">${sentence || texts.gripSayNothing}</span>
      <span class="cost"><span class="unseen">${texts.gripCost} </span>${effort.toFixed(1)}</span>
    </button>`;
  };
  const arrow = (intent: Intent) => html`<svg class="glyph" viewBox="-10 -10 20 20" aria-hidden="true">${glyph(intent as Act)}</svg>`;
  return html`
    <section class="intents" aria-label=${texts.gripSay}>
      <h3>${texts.gripSayPiece} <span>${texts.gripSayPieceNote}</span></h3>
      <div class="orders" role="group" aria-label=${texts.gripSayPiece}>
        ${kinds("reference").map((phrase, at) => button(phrase, html`<kbd aria-hidden="true">${at + 1}</kbd><span class="order">${phrase.intent.toUpperCase()}</span>`))}
      </div>
      <h3>${texts.gripSayWay}</h3>
      <div class="pad" role="group" aria-label=${texts.gripSayWay}>${kinds("directive").map((phrase) => button(phrase, arrow(phrase.intent)))}</div>
      <h3>${texts.gripSayPlain}</h3>
      <div class="plain" role="group" aria-label=${texts.gripSayPlain}>${kinds("silence", "confirm", "decline").map((phrase) => button(phrase))}</div>
    </section>
  `;
}
