/**
 * `<tandem-cogrip-plan>`: what a Follower means to do next and how sure of it it is, as falling bars (Figure 2), and what
 * it knows of the target.
 */

import { css, html, LitElement, nothing, svg, type TemplateResult } from "lit";
import { en, fill, type Texts } from "../texts/en";
import { swatch } from "./art";
import { axis, chartStyles, heightOf, HIGH } from "./chart";
import { pieceStyles } from "./piece-styles";
import type { Act, Because } from "./types";
import { actWords, colorNames, tileName } from "./words";

/** As many as a plan can have. */
const SLOTS = 10;
const WIDE = 30;

export class TandemCogripPlan extends LitElement {
  static override styles = css`
    ${pieceStyles}
    ${chartStyles}
    :host {
      display: grid;
      gap: 0.5rem;
    }
    .bar {
      fill: var(--tandem-seat1);
    }
    .slot {
      fill: var(--tandem-sunk);
    }
    .empty {
      font-size: 13px;
    }
    p {
      margin: 0;
      color: var(--tandem-soft);
    }
    dl {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 1rem;
      margin: 0;
    }
    dl div {
      display: inline-flex;
      align-items: baseline;
      gap: 0.4rem;
    }
    dt {
      color: var(--tandem-soft);
    }
    dd {
      margin: 0;
      font-weight: 700;
    }
    .unknown {
      font-weight: 400;
      color: var(--tandem-soft);
    }
  `;
  static override properties = { because: { attribute: false }, texts: { attribute: false } };

  declare because: Because | null;
  declare texts: Texts;

  constructor() {
    super();
    this.because = null;
    this.texts = en;
  }

  protected override render(): TemplateResult {
    const { texts } = this;
    const { plan = [], knows, goal, act } = this.because ?? {};
    const words = actWords(texts);
    const steps = plan.map(([act, confidence]) => fill(texts.gripPlanStep, { act: words[act], percent: percent(confidence) }));
    const label = plan.length > 0 ? fill(texts.gripPlanLabel, { plan: steps.join(", ") }) : texts.gripPlanNone;
    const known = (name: string, value: unknown) =>
      html`<div><dt>${name}</dt><dd class=${value ? "" : "unknown"}>${value || texts.gripUnknown}</dd></div>`;
    return html`
      <svg class="chart" viewBox="-36 -8 ${SLOTS * WIDE + 38} ${HIGH + 42}" role="img" aria-label=${label}>
        ${axis(SLOTS * WIDE)}
        ${plan.length === 0 ? svg`<text class="empty" x="8" y=${HIGH / 2 + 5}>${texts.gripPlanNone}</text>` : nothing}
        ${plan.map(([act, confidence], index) => {
          const x = index * WIDE;
          return svg`<rect class="bar" x=${x + 4} y=${heightOf(confidence)} width=${WIDE - 8} height=${HIGH * confidence} rx="2" />
            <g transform="translate(${x + WIDE / 2} ${HIGH + 13})">${glyph(act)}</g>
            <text x=${x + WIDE / 2} y=${HIGH + 32} text-anchor="middle">${percent(confidence)}</text>`;
        })}
      </svg>
      <p>${texts.gripKnows}</p>
      <dl>
        ${known(texts.gripKnowsColor, knows?.color ? html`<svg class="swatch" viewBox="0 0 28 28" aria-hidden="true">${swatch(knows.color)}</svg> ${colorNames(texts)[knows.color]}` : null)}
        ${known(texts.gripKnowsShape, knows?.shape)} ${known(texts.gripKnowsArea, knows?.area)}
        ${known(texts.gripGoal, goal ? tileName(goal, texts) : null)} ${known(texts.gripDid, act ? words[act] : null)}
      </dl>
    `;
  }
}

function percent(confidence: number): number {
  return Math.round(100 * confidence);
}

/** An act as a sign: an arrow, closing jaws, a pause. */
export function glyph(act: Act): TemplateResult | ReturnType<typeof svg> {
  const turn = { up: 0, right: 90, down: 180, left: 270 }[act as "up"];
  if (turn !== undefined) return svg`<path class="glyph" transform="rotate(${turn})" d="M0 7V-7M-5 -2L0 -7L5 -2" />`;
  return act === "take" ? svg`<path class="glyph" d="M-3 -7q-7 7 0 14M3 -7q7 7 0 14M-1 0h2" />` : svg`<path class="glyph" d="M-3 -6v12M3 -6v12" />`;
}
