/** What the partners of Gnomes at Night explain: what they heard, the search, what they believe. */

import { html, nothing, type TemplateResult } from "lit";
import { fill, type Texts } from "../texts/en";
import { stepNames } from "./describe";
import { edgeKey } from "./geometry";
import { readBy } from "./readings";
import type { Because, Branch, Flag, TreeNode, View } from "./types";

const SHOWN = [
  "agent", "knowledge", "heard", "parser", "belief", "hidden", "flag_in", "flag_out", "chosen", "iterations", "root", "replies", "tree",
];

/** `view` is the board on which beliefs are drawn: what the looker may see anyway. */
export function cards(because: Because, who: string, view: View | null, texts: Texts): { cards: TemplateResult; shown: string[] } {
  const shown = html`
    <div class="card">
      <h3>${who} <small>${because.agent}</small></h3>
      ${language(because, texts)}
    </div>
    ${because.root?.length ? bars(texts.insightRoot, because.root, because.chosen, texts) : nothing}
    ${because.replies?.length ? bars(texts.insightReplies, because.replies, undefined, texts) : nothing}
    ${because.hidden && view ? beliefs(because, view, texts) : nothing}
    ${because.tree?.length
      ? html`<div class="card"><h3>${texts.insightTree}</h3>${treeList(because.tree, 0, texts)}</div>`
      : nothing}
  `;
  return { cards: shown, shown: SHOWN };
}

function language({ heard, parser, flag_in, flag_out, chosen, iterations }: Because, texts: Texts): TemplateResult {
  const row = (name: string, value: unknown) => (value === undefined ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`);
  return html`
    ${heard?.length
      ? html`<h4>${texts.insightHeard} ${parser ? html`<small>${parser}</small>` : nothing}</h4>
          <ul class="heard">
            ${heard.map((one) => html`<li><q>${one.text}</q> <span class="arrow" aria-hidden="true">→</span> ${flagName(one.flag, texts)} ${one.by ? html`<small>${readBy(one, texts)}</small>` : nothing}</li>`)}
          </ul>`
      : nothing}
    <dl>
      ${row(texts.insightFlagIn, flag_in && flagName(flag_in, texts))} ${row(texts.insightChosen, chosen && flagName(chosen, texts))}
      ${row(texts.insightFlagOut, flag_out && flagName(flag_out, texts))} ${row(texts.insightSearch, iterations && fill(texts.insightIterations, { n: iterations }))}
    </dl>
  `;
}

function flagName(flag: Flag, texts: Texts): TemplateResult {
  const names: Record<string, string> = stepNames(texts);
  return html`<span class="flag">${names[flag] ?? texts[`flag_${flag}` as keyof Texts] ?? flag}</span>`;
}

function bars(title: string, branches: Branch[], chosen: string | undefined, texts: Texts): TemplateResult {
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

function beliefs({ belief, hidden }: Because, view: View, texts: Texts): TemplateResult {
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

function treeList(nodes: TreeNode[], depth: number, texts: Texts): TemplateResult {
  const names = stepNames(texts);
  const words = ({ action, visits, value }: TreeNode) =>
    html`<b>${names[action]}</b> <span>${fill(texts.insightNode, { visits, value: value.toFixed(2) })}</span>`;
  const sorted = nodes.toSorted((a, b) => b.visits - a.visits);
  return html`<ul class="tree">
    ${sorted.map((node) =>
      node.children.length > 0
        ? html`<li><details ?open=${depth < 1 && node === sorted[0]}><summary>${words(node)}</summary>${treeList(node.children, depth + 1, texts)}</details></li>`
        : html`<li class="leaf">${words(node)}</li>`,
    )}
  </ul>`;
}
