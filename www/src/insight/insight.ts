/** `<tandem-insight>`: a researcher's look at what an agent thinks, thought by thought. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { stepNames } from "../gnomes/describe";
import { edgeKey } from "../gnomes/geometry";
import type { Because, Branch, Flag, Thought, TreeNode, View } from "../engine/types";
import { en, fill, type Texts } from "../texts/en";
import { insightStyles } from "./insight-styles";

const LINES_SHOWN = 40;

export class TandemInsight extends LitElement {
  static override styles = insightStyles;
  static override properties = {
    thoughts: { attribute: false },
    lines: { attribute: false },
    view: { attribute: false },
    texts: { attribute: false },
  };

  declare thoughts: Thought[];
  /** The trace so far; null where it is not to be shown. */
  declare lines: string[] | null;
  /** The board on which beliefs are drawn: what the looker may see anyway. */
  declare view: View | null;
  declare texts: Texts;
  /** Which thought is looked at; null: the latest, as it comes. */
  #chosen: number | null = null;

  constructor() {
    super();
    this.thoughts = [];
    this.lines = null;
    this.view = null;
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

  #thought({ seat, because }: Thought): TemplateResult {
    const { texts } = this;
    return html`
      <div class="cards">
        <div class="card">
          <h3>${seat === 0 ? texts.seat0 : texts.seat1} <small>${because.agent}</small></h3>
          ${this.#language(because)}
        </div>
        ${because.root?.length ? this.#bars(texts.insightRoot, because.root, because.chosen) : nothing}
        ${because.replies?.length ? this.#bars(texts.insightReplies, because.replies, undefined) : nothing}
        ${because.hidden && this.view ? this.#beliefs(because, this.view) : nothing}
        ${because.tree?.length ? html`<div class="card"><h3>${texts.insightTree}</h3>${this.#tree(because.tree, 0)}</div>` : nothing}
        ${this.#rest(because)}
      </div>
    `;
  }

  #language({ heard, parser, flag_in, flag_out, chosen, iterations }: Because): TemplateResult {
    const { texts } = this;
    const row = (name: string, value: unknown) => (value === undefined ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`);
    return html`
      ${heard?.length
        ? html`<h4>${texts.insightHeard} ${parser ? html`<small>${parser}</small>` : nothing}</h4>
            <ul class="heard">
              ${heard.map(({ text, flag }) => html`<li><q>${text}</q> <span class="arrow" aria-hidden="true">→</span> ${this.#flag(flag)}</li>`)}
            </ul>`
        : nothing}
      <dl>
        ${row(texts.insightFlagIn, flag_in && this.#flag(flag_in))} ${row(texts.insightChosen, chosen && this.#flag(chosen))}
        ${row(texts.insightFlagOut, flag_out && this.#flag(flag_out))} ${row(texts.insightSearch, iterations && fill(texts.insightIterations, { n: iterations }))}
      </dl>
    `;
  }

  #flag(flag: Flag): TemplateResult {
    const names: Record<string, string> = stepNames(this.texts);
    return html`<span class="flag">${names[flag] ?? this.texts[`flag_${flag}` as keyof Texts] ?? flag}</span>`;
  }

  #bars(title: string, branches: Branch[], chosen: string | undefined): TemplateResult {
    const { texts } = this;
    const names = stepNames(texts);
    const most = Math.max(...branches.map(({ visits }) => visits), 1);
    const prior = branches.some((branch) => branch.prior !== undefined);
    return html`
      <div class="card">
        <h3>${title}</h3>
        <table>
          <thead>
            <tr>
              <th scope="col">${texts.insightAction}</th>
              <th scope="col" class="wide">${texts.insightVisits}</th>
              <th scope="col">${texts.insightValue}</th>
              ${prior ? html`<th scope="col">${texts.insightPrior}</th>` : nothing}
            </tr>
          </thead>
          <tbody>
            ${branches.map(
              ({ action, visits, value, prior: before }) => html`<tr class=${action === chosen ? "chosen" : ""}>
                <th scope="row">${action === chosen ? "▸ " : ""}${names[action]}</th>
                <td class="wide"><span class="track"><i style="width:${(100 * visits) / most}%"></i></span><b>${visits}</b></td>
                <td>${value.toFixed(2)}</td>
                ${prior ? html`<td>${before?.toFixed(2) ?? ""}</td>` : nothing}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  #beliefs({ belief, hidden }: Because, view: View): TemplateResult {
    const { texts } = this;
    const closed = new Set((hidden ?? []).map(([x, y, action]) => edgeKey([x, y], action))).size;
    const places = [...(belief ?? [])].sort((a, b) => b[2] - a[2]).slice(0, 3);
    const top = places.map(([x, y, p]) => `${fill(texts.cell, { x: x + 1, y: y + 1 })}: ${(100 * p).toFixed(1)}%`).join("; ");
    return html`
      <div class="card">
        <h3>${texts.insightBeliefs}</h3>
        <tandem-gnomes-board
          .width=${view.width}
          .height=${view.height}
          .walls=${view.walls}
          .start=${view.start}
          .token=${view.token}
          .heat=${belief ?? null}
          .refused=${hidden ?? []}
          .label=${`${texts.insightBelief}: ${top}. ${texts.insightHidden}: ${closed}.`}
        ></tandem-gnomes-board>
        <ul class="legend">
          <li><i class="spot"></i> ${belief ? texts.insightBelief : texts.insightBeliefSees}</li>
          <li><i class="cross" aria-hidden="true">✕</i> ${texts.insightHidden}: ${closed}</li>
        </ul>
      </div>
    `;
  }

  #tree(nodes: TreeNode[], depth: number): TemplateResult {
    const names = stepNames(this.texts);
    const words = ({ action, visits, value }: TreeNode) =>
      html`<b>${names[action]}</b> <span>${fill(this.texts.insightNode, { visits, value: value.toFixed(2) })}</span>`;
    const sorted = nodes.toSorted((a, b) => b.visits - a.visits);
    return html`<ul class="tree">
      ${sorted.map((node) =>
        node.children.length > 0
          ? html`<li><details ?open=${depth < 1 && node === sorted[0]}><summary>${words(node)}</summary>${this.#tree(node.children, depth + 1)}</details></li>`
          : html`<li class="leaf">${words(node)}</li>`,
      )}
    </ul>`;
  }

  /** Whatever else an agent tells, as it is. */
  #rest(because: Because): TemplateResult | typeof nothing {
    const known = new Set(["agent", "heard", "parser", "belief", "hidden", "flag_in", "flag_out", "chosen", "iterations", "root", "replies", "tree"]);
    const rest = Object.entries(because).filter(([key]) => !known.has(key));
    if (rest.length === 0) return nothing;
    return html`<div class="card"><h3>${this.texts.insightMore}</h3><pre tabindex="0">${JSON.stringify(Object.fromEntries(rest), null, 2)}</pre></div>`;
  }

  #trace(lines: string[]): TemplateResult {
    return html`
      <div class="card trace">
        <h3>${this.texts.insightTrace} <small>${fill(this.texts.insightLines, { n: lines.length })}</small></h3>
        <pre tabindex="0" aria-label=${this.texts.insightTrace}>${lines.slice(-LINES_SHOWN).join("\n")}</pre>
      </div>
    `;
  }
}
