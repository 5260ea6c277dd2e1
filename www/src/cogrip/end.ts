/** `<tandem-cogrip-end>`: after the game: was it the right piece, and what did it cost. */

import { css, html, LitElement, nothing, svg, type TemplateResult } from "lit";
import { save } from "../element/files";
import { endBase } from "../element/end-styles";
import { en, fill, type Texts } from "../texts/en";
import { swatch } from "./art";
import { csv } from "./csv";
import { shownPieces, trailOf } from "./geometry";
import { pieceStyles } from "./piece-styles";
import type { Finished, Outcome, PieceName, Reveal, View } from "./types";
import { endedWords, pieceName } from "./words";

export class TandemCogripEnd extends LitElement {
  static override styles = [endBase, css`
    ${pieceStyles}
    :host {
      display: grid;
      gap: calc(var(--tandem-space) * 1.5);
      align-content: start;
    }
    h2,
    p {
      margin: 0;
    }
    h2 {
      display: flex;
      align-items: center;
      gap: 0.6rem;
      font-size: 1.5rem;
      line-height: 1.2;
    }
    .sign {
      flex: none;
      width: 2rem;
      height: 2rem;
      fill: none;
      stroke-width: 3.5;
      stroke-linecap: round;
      stroke-linejoin: round;
      stroke: var(--tandem-wrong);
    }
    .sign.right {
      stroke: var(--tandem-right);
    }
    .small.sign {
      width: 1.1rem;
      height: 1.1rem;
      vertical-align: -0.2em;
    }
    @container (min-width: 760px) {
      .halves {
        grid-template-columns: minmax(0, 1fr) minmax(0, 1.3fr);
      }
    }
    .scroll {
      overflow-x: auto;
    }
    th,
    td {
      padding: 0.35rem clamp(0.2rem, 1.2cqi, 0.4rem);
      text-align: end;
      border-bottom: 1px solid var(--tandem-line);
    }
    :is(th, td):is(:first-child, .text) {
      text-align: start;
    }
    .soft,
    td small {
      color: var(--tandem-soft);
    }
    .whole,
    td small {
      white-space: nowrap;
    }
    td small {
      display: block;
    }
    tandem-cogrip-board {
      max-width: 34rem;
    }
  `];
  static override properties = {
    view: { attribute: false },
    reveal: { attribute: false },
    replayHref: { attribute: false },
    texts: { attribute: false },
  };

  declare view: View | null;
  declare reveal: Reveal | null;
  /** Where the game can be looked through, if the page has such a place. */
  declare replayHref: string | null;
  declare texts: Texts;

  constructor() {
    super();
    this.view = this.reveal = this.replayHref = null;
    this.texts = en;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { view, reveal, texts } = this;
    const outcome = view?.outcome;
    const last = outcome?.rounds.at(-1);
    if (!view || !reveal || !outcome || !last) return nothing;
    return html`
      <header>
        <h2>${outcome.completed || outcome.rounds.length === 1 ? sign(outcome.completed) : nothing} ${title(outcome, view, texts)}</h2>
        ${outcome.rounds.length === 1 ? html`<p>${endedWords(last, texts)}</p>` : nothing}
        <div class="buttons">
          <button type="button" class="main" part="button" @click=${() => this.dispatchEvent(new CustomEvent("again"))}>${texts.playAgain}</button>
          ${this.replayHref ? html`<a class="button" part="button" href=${this.replayHref}>${texts.openReplay}</a>` : nothing}
          <button type="button" part="button" @click=${() => save(csv(outcome), "tandem-cogrip-rounds.csv", "text/csv")}>${texts.endCsv}</button>
        </div>
      </header>
      <div class="halves">
        <section>
          <tandem-cogrip-board
            .size=${reveal.size}
            .pieces=${shownPieces(reveal.pieces, reveal.target)}
            .gripper=${reveal.gripper}
            .trail=${trailOf(view)}
            .label=${texts.gripEndBoard}
            .texts=${texts}
          ></tandem-cogrip-board>
          <p class="soft">${texts.gripEndBoard}</p>
        </section>
        <section><div class="scroll" tabindex="0" role="group" aria-label=${texts.gripEndResult}>${roundTable(outcome, texts)}</div></section>
      </div>
    `;
  }
}

function title({ rounds, completed }: Outcome, view: View, texts: Texts): string {
  const won = rounds.filter(({ success }) => success).length;
  if (rounds.length > 1) return fill(texts.gripEndMany, { won, rounds: rounds.length });
  if (completed) return view.seat === 1 ? texts.gripEndRight : texts.gripEndRightGuide;
  return rounds[0]?.taken ? texts.gripEndWrong : texts.gripEndTime;
}

function sign(right: boolean, small = ""): TemplateResult {
  const shape = right ? svg`<circle r="13" /><path d="M-6 0l4 5 8-9" />` : svg`<rect x="-11" y="-11" width="22" height="22" rx="3" transform="rotate(45)" /><path d="M-5 -5l10 10M5 -5l-10 10" />`;
  return html`<svg class=${`sign ${right ? "right" : ""} ${small}`} viewBox="-17 -17 34 34" aria-hidden="true">${shape}</svg>`;
}

function result({ success, taken }: Finished, texts: Texts): string {
  return success ? texts.gripEndSuccess : taken ? texts.gripEndFailure : texts.gripEndLate;
}

function roundTable({ rounds, reward }: Outcome, texts: Texts): TemplateResult {
  const piece = (piece: PieceName | null) =>
    piece
      ? html`<span class="whole"><svg class="swatch" viewBox="0 0 28 28" aria-hidden="true">${swatch(piece.color)}</svg>
            ${pieceName({ color: piece.color, shape: piece.shape }, texts)}</span> <small>${piece.area}</small>`
      : texts.gripEndNothing;
  const mean = (of: (round: Finished) => number) => rounds.reduce((sum, round) => sum + of(round), 0) / rounds.length;
  const text = (words: string) => html`<th scope="col" class="text">${words}</th>`;
  const number = (words: string) => html`<th scope="col">${words}</th>`;
  return html`
    <table>
      <thead>
        <tr>
          ${number(texts.gripEndRound)}${text(texts.gripEndResult)}${text(texts.gripEndTaken)}${text(texts.gripEndTarget)}
          ${number(texts.gripEndSteps)}${number(texts.gripEndEffort)}${number(texts.gripEndReward)}${number(texts.gripEndSeconds)}
        </tr>
      </thead>
      <tbody>
        ${rounds.map(
          (round) => html`<tr>
            <th scope="row">${round.round}</th>
            <td class="text whole">${sign(round.success, "small")} ${result(round, texts)}</td>
            <td class="text">${piece(round.taken)}</td>
            <td class="text">${piece(round.target)}</td>
            <td>${round.steps}</td><td>${round.effort.toFixed(1)}</td><td>${round.reward.toFixed(2)}</td><td>${(round.millis / 1000).toFixed(1)}</td>
          </tr>`,
        )}
      </tbody>
      ${rounds.length > 1
        ? html`<tfoot><tr>
            <th scope="row">${texts.gripEndMean}</th><td class="text">${rounds.filter(({ success }) => success).length} / ${rounds.length}</td><td></td><td></td>
            <td>${mean(({ steps }) => steps).toFixed(1)}</td><td>${mean(({ effort }) => effort).toFixed(2)}</td><td>${reward.toFixed(2)}</td>
            <td>${(mean(({ millis }) => millis) / 1000).toFixed(1)}</td>
          </tr></tfoot>`
        : nothing}
    </table>
  `;
}
