/** `<tandem-insight>`: a researcher's look at what an agent thinks, thought by thought. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { sceneOf } from "../element/scenes";
import type { AnyBecause, AnyView, Thought } from "../engine/types";
import { en, fill, type Texts } from "../texts/en";
import { insightStyles } from "./insight-styles";

const LINES_SHOWN = 40;

export class TandemInsight extends LitElement {
  static override styles = insightStyles;
  static override properties = {
    thoughts: { attribute: false },
    lines: { attribute: false },
    view: { attribute: false },
    world: { type: String },
    beside: { attribute: false },
    guarded: { type: Boolean },
    texts: { attribute: false },
  };

  declare thoughts: Thought[];
  /** The trace so far; null where it is not to be shown. */
  declare lines: string[] | null;
  /** The board on which beliefs are drawn: what the looker may see anyway. */
  declare view: AnyView | null;
  /** Whose agents these are. */
  declare world: string;
  /** What stands beside the explanation, if anything does. */
  declare beside: unknown;
  /** A person plays: what agents ask holds more than that person may know. */
  declare guarded: boolean;
  declare texts: Texts;
  /** Which thought is looked at; null: the latest, as it comes. */
  #chosen: number | null = null;

  constructor() {
    super();
    this.thoughts = [];
    this.lines = null;
    this.view = null;
    this.world = "gnomes";
    this.beside = nothing;
    this.guarded = false;
    this.texts = en;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("thoughts") && (this.#chosen ?? 0) >= this.thoughts.length) this.#chosen = null;
  }

  protected override updated(): void {
    const trace = this.renderRoot.querySelector(".trace pre");
    if (trace) trace.scrollTop = trace.scrollHeight;
  }

  protected override render(): TemplateResult {
    const { texts } = this;
    const index = this.#chosen ?? this.thoughts.length - 1;
    const thought = this.thoughts[index];
    return html`
      <section class="all" aria-label=${texts.insight}>
        <header>
          <h2>${texts.insight}</h2>
          ${this.thoughts.length > 1 ? this.#picker(index) : nothing}
        </header>
        ${this.beside === nothing ? nothing : html`<div class="card">${this.beside}</div>`}
        ${thought ? this.#thought(thought) : html`<p class="soft">${texts.insightNone}</p>`}
        ${this.lines ? this.#trace(this.lines) : nothing}
      </section>
    `;
  }

  #picker(index: number): TemplateResult {
    const { texts } = this;
    const last = this.thoughts.length - 1;
    const go = (to: number) => {
      this.#chosen = to >= last ? null : Math.max(0, to);
      this.requestUpdate();
    };
    return html`
      <div class="picker" role="group" aria-label=${texts.insightWhich}>
        <button type="button" aria-label=${texts.insightBefore} ?disabled=${index === 0} @click=${() => go(index - 1)}>‹</button>
        <span>${fill(texts.insightCount, { n: index + 1, all: last + 1 })}</span>
        <button type="button" aria-label=${texts.insightNext} ?disabled=${index === last} @click=${() => go(index + 1)}>›</button>
        <button type="button" ?disabled=${this.#chosen === null} @click=${() => go(last)}>${texts.insightLatest}</button>
      </div>
    `;
  }

  #thought(thought: Thought): TemplateResult {
    const { cards, shown } = sceneOf(this.world).cards(thought, this.view, this.texts);
    return html`<div class="cards">${cards} ${this.#rest(thought.because, shown)}</div>`;
  }

  /** Whatever else an agent tells, as it is. */
  #rest(because: AnyBecause, shown: string[]): TemplateResult | typeof nothing {
    const rest = Object.entries(because).filter(([key]) => !shown.includes(key));
    if (rest.length === 0) return nothing;
    return html`<div class="card"><h3>${this.texts.insightMore}</h3><pre tabindex="0">${JSON.stringify(Object.fromEntries(rest), null, 2)}</pre></div>`;
  }

  #trace(lines: string[]): TemplateResult {
    return html`
      <div class="card trace">
        <h3>${this.texts.insightTrace} <small>${fill(this.texts.insightLines, { n: lines.length })}</small></h3>
        <pre tabindex="0" aria-label=${this.texts.insightTrace}>${lines.slice(-LINES_SHOWN).map((line) => (this.guarded ? unasked(line) : line)).join("\n")}</pre>
      </div>
    `;
  }
}

/** A line without what an agent asked. */
function unasked(line: string): string {
  if (!line.includes('"derived":"ask"')) return line;
  return JSON.stringify({ ...(JSON.parse(line) as object), body: "…" });
}
