/** `<tandem-gnomes-end>`: after the game: the rounds, and what the partner believed about the person's walls. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { save } from "../element/files";
import { endBase } from "../element/end-styles";
import type { Because, Outcome, Reveal, View } from "./types";
import { en, fill, type Texts } from "../texts/en";
import { edgeShape } from "./board";
import { barChart } from "./chart";
import { endStyles } from "./end-styles";
import { compareBelief, type BeliefMark } from "./geometry";

export class TandemGnomesEnd extends LitElement {
  static override styles = [endBase, endStyles];
  static override properties = {
    view: { attribute: false },
    reveal: { attribute: false },
    because: { attribute: false },
    replayHref: { attribute: false },
    texts: { attribute: false },
  };

  declare view: View | null;
  declare reveal: Reveal | null;
  /** The partner's last thought that tells its belief. */
  declare because: Because | null;
  /** Where the game can be looked through, if the page has such a place. */
  declare replayHref: string | null;
  declare texts: Texts;

  constructor() {
    super();
    this.view = this.reveal = this.because = this.replayHref = null;
    this.texts = en;
  }

  protected override render(): TemplateResult | typeof nothing {
    const outcome = this.view?.outcome;
    if (!this.view || !this.reveal || !outcome) return nothing;
    const { texts } = this;
    return html`
      <header>
        <h2>${texts.endTitle}</h2>
        <p>${summary(outcome, texts)}</p>
        <div class="buttons">
          <button type="button" class="main" part="button" @click=${() => this.dispatchEvent(new CustomEvent("again"))}>
            ${texts.playAgain}
          </button>
          ${this.replayHref ? html`<a class="button" part="button" href=${this.replayHref}>${texts.openReplay}</a>` : nothing}
          <button type="button" part="button" @click=${() => save(csv(outcome), "tandem-gnomes-rounds.csv", "text/csv")}>
            ${texts.endCsv}
          </button>
        </div>
      </header>
      <div class="halves">
        <section>
          ${roundTable(outcome, texts)}
          <div class="charts">${charts(outcome, texts)}</div>
        </section>
        <section>${this.#belief(this.view, this.reveal)}</section>
      </div>
    `;
  }

  #belief(view: View, reveal: Reveal): TemplateResult {
    const { texts } = this;
    const hidden = this.because?.hidden;
    const truth = reveal.sides[view.seat] ?? view.walls;
    const marks = hidden ? compareBelief(hidden, truth, view.width, view.height) : [];
    const count = (kind: BeliefMark["kind"]) => marks.filter((mark) => mark.kind === kind).length;
    const legend = [
      ["right", texts.markRight],
      ["wrong", texts.markWrong],
      ["unknown", texts.markUnknown],
    ] as const;
    return html`
      <h3>${texts.endBelief}</h3>
      <p class="soft">${hidden ? texts.endBeliefNote : texts.endBeliefNone}</p>
      <tandem-gnomes-board
        .width=${view.width}
        .height=${view.height}
        .walls=${truth}
        .start=${view.start}
        .marks=${marks}
        .label=${`${texts.endBelief}: ${legend.map(([kind, words]) => `${count(kind)} ${words}`).join("; ")}`}
      ></tandem-gnomes-board>
      ${hidden
        ? html`<ul class="legend">
            ${legend.map(
              ([kind, words]) => html`<li>
                <svg class="sign" viewBox="-26 -26 52 52" aria-hidden="true">${edgeShape(kind)}</svg>
                <b>${count(kind)}</b> ${words}
              </li>`,
            )}
          </ul>`
        : nothing}
    `;
  }
}

function summary({ completed, rounds }: Outcome, texts: Texts): string {
  const turns = rounds.reduce((sum, round) => sum + round.turns, 0);
  const found = rounds.filter((round) => round.completed).length;
  return fill(completed ? texts.endCompleted : texts.endNotCompleted, { rounds: rounds.length, turns, found });
}

function roundTable({ rounds, reward }: Outcome, texts: Texts): TemplateResult {
  const sum = (what: "turns" | "millis") => rounds.reduce((total, round) => total + round[what], 0);
  return html`
    <table>
      <thead>
        <tr>
          <th scope="col">${texts.endRound}</th>
          <th scope="col">${texts.endTurns}</th>
          <th scope="col">${texts.endSeconds}</th>
          <th scope="col">${texts.endReward}</th>
          <th scope="col">${texts.endFound}</th>
        </tr>
      </thead>
      <tbody>
        ${rounds.map(
          (round) => html`<tr>
            <th scope="row">${round.round}</th>
            <td>${round.turns}</td>
            <td>${seconds(round.millis)}</td>
            <td>${round.reward.toFixed(1)}</td>
            <td>${round.completed ? texts.endYes : texts.endNo}</td>
          </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${texts.endTotal}</th>
          <td>${sum("turns")}</td>
          <td>${seconds(sum("millis"))}</td>
          <td>${reward.toFixed(1)}</td>
          <td>${rounds.filter((round) => round.completed).length}</td>
        </tr>
      </tfoot>
    </table>
  `;
}

function charts({ rounds }: Outcome, texts: Texts): TemplateResult[] {
  const names = rounds.map(({ round }) => String(round));
  const turns = rounds.map(({ turns }) => turns);
  // Whole seconds, unless the rounds are too short for them.
  const unit = Math.max(...rounds.map(({ millis }) => millis)) < 20_000 ? 100 : 1000;
  const seconds = rounds.map(({ millis }) => (Math.round(millis / unit) * unit) / 1000);
  return [
    barChart(turns, names, texts.endRound, texts.endChartTurns, texts.unitTurns),
    barChart(seconds, names, texts.endRound, texts.endChartSeconds, texts.unitSeconds),
  ];
}

/** The rounds as a table that programs read. */
export function csv({ rounds }: Outcome): string {
  const head = "round,turns,seconds,reward,found\n";
  const row = (round: Outcome["rounds"][number]) =>
    `${round.round},${round.turns},${seconds(round.millis)},${round.reward.toFixed(1)},${round.completed}\n`;
  return head + rounds.map(row).join("");
}

function seconds(millis: number): string {
  return (millis / 1000).toFixed(1);
}
