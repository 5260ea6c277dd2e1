/** `<tandem-cogrip-shares>`: how probable the trained Guide held each intent, as bars, and what it expects. */

import { css, html, LitElement, nothing, svg, type TemplateResult } from "lit";
import { en, fill, type Texts } from "../texts/en";
import { axis, chartStyles, heightOf, HIGH } from "./chart";
import { intentSign } from "./guide-map";
import type { Because } from "./types";

const WIDE = 22;

export class TandemCogripShares extends LitElement {
  static override styles = css`
    ${chartStyles}
    :host {
      display: grid;
      gap: 0.25rem;
    }
    .bar {
      fill: var(--tandem-line-strong);
    }
    .chosen .bar {
      fill: var(--tandem-seat0);
    }
    text {
      font-size: 10px;
    }
    .chosen text {
      fill: var(--tandem-ink);
      font-weight: 700;
    }
    .glyph {
      stroke: var(--tandem-soft);
    }
    .chosen .glyph {
      stroke: var(--tandem-ink);
      stroke-width: 3;
    }
    .silent {
      fill: var(--tandem-soft);
    }
    p {
      margin: 0;
      color: var(--tandem-soft);
      font-variant-numeric: tabular-nums;
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

  protected override render(): TemplateResult | typeof nothing {
    const { because, texts } = this;
    if (!because?.distribution) return nothing;
    const { distribution, intent: chosen, backend } = because;
    const [value, millis] = [because.value ?? 0, because.millis ?? 0];
    const spoken = distribution.filter(([, share]) => share >= 0.01).map(([intent, share]) => `${intent} ${Math.round(100 * share)}%`);
    return html`
      <svg class="chart" viewBox="-34 -8 ${distribution.length * WIDE + 36} ${HIGH + 32}" role="img" aria-label=${`${texts.gripIntents}: ${spoken.join(", ")}`}>
        ${axis(distribution.length * WIDE)}
        ${distribution.map(([intent, share], at) => svg`<g class=${intent === chosen ? "chosen" : ""} transform="translate(${at * WIDE} 0)">
          <rect class="bar" x="3" y=${heightOf(share)} width=${WIDE - 6} height=${HIGH * share} rx="2" />
          <g transform="translate(${WIDE / 2} ${HIGH + 13})">${intentSign(intent)}</g>
        </g>`)}
      </svg>
      <p>${fill(texts.netExpects, { value: value.toFixed(2), backend: (backend ?? "").toUpperCase(), millis: millis.toFixed(1) })}</p>
    `;
  }
}
