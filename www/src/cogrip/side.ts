/** `<tandem-cogrip-side>`: one seat's side of a game that is watched or replayed, with what its agent last thought. */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { en, fill, type Texts } from "../texts/en";
import { shownPieces, trailOf } from "./geometry";
import { stepNow } from "./status";
import { speechStyles } from "./table-styles";
import { followerSees, guideSees } from "./sees";
import type { Because, Tile, View } from "./types";
import { boardWords, endedWords } from "./words";

export class TandemCogripSide extends LitElement {
  static override styles = css`
    ${speechStyles}
    :host {
      display: grid;
      gap: 0.5rem;
      align-content: start;
      color: var(--tandem-ink);
      font-weight: 400;
    }
    p {
      margin: 0;
    }
    .facts {
      display: flex;
      flex-wrap: wrap;
      gap: 0.1rem 1rem;
      font-variant-numeric: tabular-nums;
      color: var(--tandem-soft);
    }
    tandem-cogrip-board {
      max-width: max(16rem, var(--tandem-height) - 23rem);
      margin-inline: auto;
    }
    .title {
      margin-bottom: 0.25rem;
      font-weight: 700;
    }
    .mind {
      min-height: 12.25rem;
    }
    .shares {
      min-height: 8.75rem;
    }
  `;
  static override properties = {
    view: { attribute: false },
    because: { attribute: false },
    mind: { type: Boolean },
    learned: { type: Boolean },
    texts: { attribute: false },
  };

  declare view: View | null;
  /** The last thought of the agent at this seat. */
  declare because: Because | null;
  /** There is an agent here, so there is a place for its plan. */
  declare mind: boolean;
  /** This agent says how probable it held each intent, so that has its place. */
  declare learned: boolean;
  declare texts: Texts;

  constructor() {
    super();
    this.view = this.because = null;
    this.mind = this.learned = false;
    this.texts = en;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { view, texts } = this;
    if (!view) return nothing;
    const [guide, follower] = [guideSees(view), followerSees(view)];
    const [path, goal] = [follower ? planned(view, this.because) : [], follower ? (this.because?.goal ?? null) : null];
    return html`
      <tandem-cogrip-board
        .size=${view.size}
        .pieces=${guide ? shownPieces(guide.pieces, guide.target) : []}
        .cut=${follower?.cut ?? null}
        .gripper=${view.gripper}
        .trail=${trailOf(view)}
        .sight=${guide !== null}
        .goal=${goal}
        .path=${path}
        .label=${boardWords(view, texts)}
        .texts=${texts}
      ></tandem-cogrip-board>
      ${guide ? this.#words(view) : this.#mind()}
    `;
  }

  /** What the Guide says, and how far it has come. */
  #words(view: View): TemplateResult {
    const { texts } = this;
    const ended = view.turn === null ? view.finished.at(-1) : undefined;
    const last = view.history.at(-1);
    const words = view.heard ?? (last?.round === view.round ? last.sentence : null);
    return html`
      <div class="speech">
        <span class="who">${texts.gripGuide}</span>
        <p class=${`bubble now mine ${words ? "" : "quiet"}`}>${words || (words === "" ? texts.gripSilence : "…")}</p>
      </div>
      <p class="facts">
        <span>${fill(texts.gripStep, stepNow(view))}</span> <span>${fill(texts.gripEffort, { effort: view.effort.toFixed(1) })}</span>
        ${ended ? html`<span>${endedWords(ended, texts)}</span>` : nothing}
      </p>
      ${this.learned ? html`<div class="shares"><p class="title">${texts.gripIntents}</p><tandem-cogrip-shares .because=${this.because} .texts=${texts}></tandem-cogrip-shares></div>` : nothing}
    `;
  }

  #mind(): TemplateResult | typeof nothing {
    if (!this.mind) return nothing;
    return html`<div class="mind"><p class="title">${this.texts.gripPlan}</p><tandem-cogrip-plan .because=${this.because} .texts=${this.texts}></tandem-cogrip-plan></div>`;
  }
}

/** The tiles that a plan leads over from here. */
function planned(view: View, because: Because | null): Tile[] {
  const way = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1], wait: [0, 0], take: [0, 0] } as const;
  let [x, y] = view.gripper;
  return (because?.plan ?? []).map(([act]): Tile => {
    [x, y] = [x + way[act][0], y + way[act][1]];
    return [x, y];
  });
}
