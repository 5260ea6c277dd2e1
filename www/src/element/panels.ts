/** What stands in the element's place while there is no game to show: loading, a failure, the journal's offer. */

import { html, nothing, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import type { Failure } from "../engine/types";
import { fill, type Texts } from "../texts/en";
import type { Problem } from "./attributes";
import type { Kept } from "./journal";

export function loadingPanel(texts: Texts, done: number, total: number | null): TemplateResult {
  const words = { before: texts.loading, some: texts.loadingSome, of: texts.loadingBytes, after: texts.starting };
  return comingPanel(words, done, total, total);
}

/** Once its weights are there, the network is tried: for how long, nobody knows. */
export function readyingPanel(texts: Texts, done: number, total: number | null): TemplateResult {
  const words = { before: texts.readying, some: texts.readyingSome, of: texts.readyingBytes, after: texts.readying };
  return comingPanel(words, done, total, done === total ? null : total);
}

/** What is said before the first byte, while it is not known of how many, while it is, and after the last. */
interface ComingWords {
  before: string;
  some: string;
  of: string;
  after: string;
}

function comingPanel({ before, some, of, after }: ComingWords, done: number, total: number | null, length: number | null): TemplateResult {
  const words =
    done === 0
      ? before
      : total === null || done > total
        ? fill(some, { done: bytes(done) })
        : done === total
          ? after
          : fill(of, { done: bytes(done), total: bytes(total) });
  return html`
    <div class="panel loading" part="loading" role="status">
      <p>${words}</p>
      <progress
        aria-label=${before}
        max=${length ?? 1}
        value=${ifDefined(length === null ? undefined : Math.min(done, length))}
      ></progress>
    </div>
  `;
}

export function problemsPanel(texts: Texts, problems: Problem[]): TemplateResult {
  return html`
    <div class="panel failure" part="failure" role="alert">
      <h2>${texts.failureAttribute}</h2>
      ${problems.map(
        (problem) => html`
          <dl>
            <dt>${texts.attributeHead}</dt>
            <dd><code>${problem.attribute}="${shorten(problem.value)}"</code></dd>
            <dt>${texts.problemHead}</dt>
            <dd class="words">${problem.problem}</dd>
            <dt>${texts.validHead}</dt>
            <dd>${problem.valid}</dd>
          </dl>
        `,
      )}
    </div>
  `;
}

export interface FailureActions {
  retry(): void;
  /** Only where there are lines to go on from. */
  goOn: (() => void) | null;
  startAnew: (() => void) | null;
  download: (() => void) | null;
}

export function failurePanel(texts: Texts, failure: Failure, actions: FailureActions): TemplateResult {
  const load = failure.code === "load";
  const { line, message } = failure;
  return html`
    <div class="panel failure" part="failure" role="alert">
      <h2>${load ? texts.failureLoad : texts.failureTitle}</h2>
      <p class="words">${line === undefined ? message : fill(texts.atLine, { line, reason: message })}</p>
      ${failure.mend ? html`<h3>${texts.whatToDo}</h3><p>${failure.mend}</p>` : nothing}
      <div class="buttons">
        ${actions.goOn ? button(texts.goOnFromJournal, actions.goOn, true) : nothing}
        ${load ? button(texts.retry, actions.retry, true) : nothing}
        ${actions.startAnew ? button(texts.offerAnew, actions.startAnew) : nothing}
        ${actions.download ? button(texts.download, actions.download) : nothing}
      </div>
      ${load && failure.field
        ? html`<details><summary>${texts.details}</summary><code>${failure.field}</code></details>`
        : nothing}
    </div>
  `;
}

export interface OfferActions {
  goOn(): void;
  startAnew(): void;
  download(): void;
}

export function offerPanel(texts: Texts, game: Kept, actions: OfferActions): TemplateResult {
  const values = { round: game.round, turns: game.turns, when: moment(game.updated) };
  return html`
    <div class="panel offer" part="offer" role="group" aria-labelledby="offer">
      <h2 id="offer">${texts.offerTitle}</h2>
      <p>${fill(texts.offerText, values)}</p>
      <div class="buttons">
        ${button(texts.offerGoOn, actions.goOn, true)} ${button(texts.offerAnew, actions.startAnew)}
        ${button(texts.download, actions.download)}
      </div>
      <p class="small">${texts.offerKept}</p>
    </div>
  `;
}

export interface EarlierActions {
  download(game: Kept): void;
  remove(game: Kept): void;
}

/** The journal's other games; deleting one asks first. */
export function earlierGames(
  texts: Texts,
  games: Kept[],
  sure: string | null,
  ask: (id: string | null) => void,
  actions: EarlierActions,
): TemplateResult {
  return html`
    <ul class="earlier">
      ${games.map(
        (game) => html`
          <li>
            <span>${fill(texts.olderGame, { when: moment(game.updated), lines: game.lines })}</span>
            ${sure === game.id
              ? html`<span>${texts.removeSure}</span>
                  ${button(texts.remove, () => actions.remove(game))} ${button(texts.keep, () => ask(null))}`
              : html`${button(texts.downloadOld, () => actions.download(game))} ${button(texts.remove, () => ask(game.id))}`}
          </li>
        `,
      )}
    </ul>
  `;
}

export function button(words: string, press: () => void, main = false): TemplateResult {
  return html`<button type="button" class=${main ? "main" : ""} part="button" @click=${press}>${words}</button>`;
}

/** Bytes as people read them. */
export function bytes(count: number): string {
  return count < 1_000_000 ? `${Math.round(count / 1000)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

function moment(millis: number): string {
  return new Date(millis).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
