/** What the agents of CoGRIP-GL explain: the Guide its intent, the Follower its plan. */

import { html, nothing, type TemplateResult } from "lit";
import { fill, type Texts } from "../texts/en";
import type { Because } from "./types";

const SHOWN = ["agent", "intent", "distribution", "value", "backend", "millis", "weights", "chosen", "instead", "fault", "phi", "knows", "plan", "goal", "act"];

export function cards(because: Because, who: string, texts: Texts): { cards: TemplateResult; shown: string[] } {
  const shown = because.intent === undefined ? followerCards(because, who, texts) : guideCards(because, who, texts);
  return { cards: shown, shown: SHOWN };
}

function guideCards({ agent, intent, distribution, value, backend, millis, weights, instead, fault }: Because, who: string, texts: Texts): TemplateResult {
  const row = (name: string, value: unknown) => (value === undefined ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`);
  const place = [backend, millis === undefined ? undefined : fill(texts.gripMillis, { millis: millis.toFixed(1) })].filter(Boolean).join(", ");
  return html`
    <div class="card">
      <h3>${who} <small>${agent}</small></h3>
      <dl>
        ${row(texts.gripIntent, html`<span class="flag">${intent}</span>`)} ${row(texts.gripValue, value?.toFixed(2))}
        ${row(texts.gripBackend, place || undefined)} ${row(texts.gripTrainedWith, weights)}
        ${row(texts.gripInstead, instead)} ${row(texts.gripFault, fault === undefined ? undefined : faultWords(fault, texts))}
      </dl>
    </div>
    ${distribution?.length ? intentTable(distribution, intent, texts) : nothing}
  `;
}

function faultWords(fault: NonNullable<Because["fault"]>, texts: Texts): string {
  if (typeof fault === "object") return fault.broken;
  return fault === "late" ? texts.gripFaultLate : texts.gripFaultAbsent;
}

function intentTable(distribution: [string, number][], chosen: string | undefined, texts: Texts): TemplateResult {
  const most = Math.max(...distribution.map(([, probability]) => probability), 1e-9);
  return html`
    <div class="card">
      <h3>${texts.gripIntents}</h3>
      <table>
        <thead><tr><th scope="col">${texts.gripIntent}</th><th scope="col" class="wide">${texts.gripProbability}</th></tr></thead>
        <tbody>
          ${distribution.map(
            ([intent, probability]) => html`<tr class=${intent === chosen ? "chosen" : ""}>
              <th scope="row">${intent === chosen ? "▸ " : ""}${intent}</th>
              <td class="wide"><span class="track"><i .style=${`width:${(100 * probability) / most}%`}></i></span><b>${(100 * probability).toFixed(1)}%</b></td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function followerCards(because: Because, who: string, texts: Texts): TemplateResult {
  return html`
    <div class="card">
      <h3>${who} <small>${because.agent}</small></h3>
      <h4>${texts.gripPlan}</h4>
      <tandem-cogrip-plan .because=${because} .texts=${texts}></tandem-cogrip-plan>
      ${because.phi === undefined ? nothing : html`<p class="soft">${fill(texts.gripPhi, { phi: because.phi })}</p>`}
    </div>
  `;
}
