/**
 * `<tandem-cogrip-network>`: what computes the trained Guide, how fast, and what it would say elsewhere on the board.
 */

import { css, html, LitElement, nothing, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { save } from "../element/files";
import { failureOf } from "../engine/client";
import type { DecisionMap, Report } from "../guide";
import { CHOICES, SIDE, type Choice } from "../guide/backend";
import { insightStyles } from "../insight/insight-styles";
import { en, fill, type Texts } from "../texts/en";
import { kindColors } from "./chart";
import { kindCounts, likeliest, mapCsv, mapSigns, mapTints, networkTiles, type SeenBoard } from "./guide-map";
import type { Kind } from "./types";

/** A map, and how it is drawn: computed once. */
interface Drawn {
  decisions: DecisionMap;
  counts: [Kind, number][];
  tints: SVGTemplateResult;
  signs: SVGTemplateResult;
}

function drawn(decisions: DecisionMap): Drawn {
  const map = likeliest(decisions);
  return { decisions, counts: kindCounts(map), tints: mapTints(map, SIDE), signs: mapSigns(map, SIDE) };
}

export class TandemCogripNetwork extends LitElement {
  /** It stands in Insight, so it looks as that does. */
  static override styles = [insightStyles, kindColors, css`
    :host {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
      gap: 1rem 2rem;
      align-items: start;
    }
    section {
      display: grid;
      gap: 0.75rem;
      min-width: 0;
    }
    tandem-cogrip-board {
      max-width: 34rem;
    }
    fieldset {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 1rem;
      margin: 0;
      padding: 0;
      border: 0;
    }
    legend {
      padding: 0;
      color: var(--tandem-soft);
    }
    label {
      display: inline-flex;
      align-items: center;
      gap: 0.4rem;
      min-height: 2.25rem;
      cursor: pointer;
    }
    input {
      width: 1.1rem;
      height: 1.1rem;
      margin: 0;
      accent-color: var(--tandem-accent);
    }
    dl {
      font-variant-numeric: tabular-nums;
    }
    dd {
      overflow-wrap: anywhere;
    }
    button {
      justify-self: start;
    }
    ul {
      display: flex;
      flex-wrap: wrap;
      gap: 0.2rem 1rem;
      font-variant-numeric: tabular-nums;
    }
    li {
      display: inline-flex;
      align-items: center;
      gap: 0.4rem;
    }
    li i {
      width: 1rem;
      height: 1rem;
      border-radius: 0.25rem;
      border: 1px solid var(--tandem-line-strong);
      background: var(--kind, var(--tandem-bench));
    }
  `];
  static override properties = {
    report: { attribute: false },
    preparing: { attribute: false },
    board: { attribute: false },
    asked: { attribute: false },
    round: { type: Number },
    texts: { attribute: false },
  };

  declare report: Report;
  /** The backend that is being made ready. */
  declare preparing: Choice | null;
  /** Null where whoever looks on may not see it. */
  declare board: SeenBoard | null;
  /** Gives what the Guide would say elsewhere. */
  declare asked: (tiles: Uint8Array) => Promise<DecisionMap>;
  /** Another round has another board. */
  declare round: number;
  declare texts: Texts;
  #map: Drawn | null = null;
  #shown = false;
  #computing = false;
  #failed = "";

  constructor() {
    super();
    this.report = { asked: "auto", backend: "cpu", cpuMillis: 0, gpuMillis: null, reason: null };
    this.board = this.preparing = null;
    this.asked = () => Promise.reject(new Error("nobody to ask"));
    this.round = 0;
    this.texts = en;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("round")) return;
    this.#map = null;
    if (this.#shown) void this.#compute();
  }

  protected override render(): TemplateResult {
    return html`<section>${this.#place()}</section><section>${this.#elsewhere()}</section>`;
  }

  #place(): TemplateResult {
    const { texts } = this;
    const { asked, backend, cpuMillis, gpuMillis, reason } = this.report;
    const names: Record<Choice, string> = { auto: texts.netAuto, cpu: texts.netCpu, gpu: texts.netGpu };
    const millis = (millis: number | null) => (millis === null ? texts.netNotMeasured : fill(texts.netStepMillis, { millis: millis.toFixed(2) }));
    return html`
      <h3>${texts.netTitle}</h3>
      <fieldset @change=${(event: Event) => this.#choose((event.target as HTMLInputElement).value as Choice)}>
        <legend>${texts.netChoose}</legend>
        ${CHOICES.map((choice) => html`<label><input type="radio" name="backend" value=${choice} .checked=${choice === asked} /> ${names[choice]}</label>`)}
      </fieldset>
      <dl>
        <dt>${texts.netComputes}</dt><dd>${names[backend]}</dd>
        <dt>${texts.netCpu}</dt><dd>${millis(cpuMillis)}</dd>
        <dt>${texts.netGpu}</dt><dd>${millis(gpuMillis)}</dd>
      </dl>
      ${this.preparing ? html`<p role="status">${fill(texts.netPreparing, { backend: names[this.preparing] })}</p>` : nothing}
      ${reason ? html`<p class="soft">${fill(texts.netReason, { reason })}</p>` : nothing}
    `;
  }

  #elsewhere(): TemplateResult {
    const { board, texts } = this;
    const [map, shown] = [this.#map, this.#shown];
    return html`
      <h3>${texts.netMap}</h3>
      ${board === null || board.size !== SIDE
        ? html`<p class="soft">${board === null ? texts.netMapHidden : texts.netMapSize}</p>`
        : html`
            <p class="soft">${texts.netMapNote}</p>
            <button type="button" aria-expanded=${shown} ?disabled=${this.#computing} @click=${this.#toggle}>
              ${this.#computing ? texts.netMapComputing : shown ? texts.netMapHide : texts.netMapShow}
            </button>
            ${this.#failed ? html`<p role="alert">${fill(texts.netMapFailed, { reason: this.#failed })}</p>` : nothing}
            ${shown && map ? this.#drawn(board, map) : nothing}
          `}
    `;
  }

  #drawn(board: SeenBoard, { decisions, counts, tints, signs }: Drawn): TemplateResult {
    const { texts } = this;
    const names: Record<Kind, string> = {
      silence: texts.gripSilence, confirm: texts.netConfirm, decline: texts.netDecline, directive: texts.netDirective, reference: texts.netReference,
    };
    const label = fill(texts.netMapLabel, { counts: counts.map(([kind, count]) => `${names[kind]} ${count}`).join(", ") });
    return html`
      <tandem-cogrip-board
        .size=${board.size} .pieces=${board.pieces} .gripper=${board.gripper} .label=${label} .texts=${texts}
        .tints=${tints} .signs=${signs}
      ></tandem-cogrip-board>
      <ul>${counts.map(([kind, count]) => html`<li><i class=${kind} aria-hidden="true"></i> ${names[kind]} <span class="soft">${count}</span></li>`)}</ul>
      <p class="soft">${texts.netMapSigns}</p>
      <button type="button" @click=${() => save(mapCsv(decisions), "tandem-guide-map.csv", "text/csv")}>${texts.endCsv}</button>
    `;
  }

  #choose(choice: Choice): void {
    this.dispatchEvent(new CustomEvent("backend", { detail: { choice } }));
  }

  #toggle = (): void => {
    this.#shown = !this.#shown;
    if (this.#shown && !this.#map) void this.#compute();
    this.requestUpdate();
  };

  async #compute(): Promise<void> {
    const { round, board } = this;
    if (!board || board.size !== SIDE) return;
    this.#computing = true;
    this.#failed = "";
    this.requestUpdate();
    try {
      const map = await this.asked(networkTiles(board));
      if (round === this.round) this.#map = drawn(map);
    } catch (error) {
      this.#shown = false;
      this.#failed = failureOf(error).message;
    }
    this.#computing = false;
    this.requestUpdate();
  }
}
