/** What the charts of what agents think have in common: their shares and signs, and a colour for each kind of intent. */

import { css, svg, type SVGTemplateResult } from "lit";

/** How high a share of 1 is. */
export const HIGH = 64;

export const chartStyles = css`
  svg.chart {
    display: block;
    width: 100%;
    max-width: 24rem;
  }
  .axis {
    stroke: var(--tandem-line);
    fill: none;
  }
  text {
    font-family: var(--tandem-font);
    font-size: 11px;
    fill: var(--tandem-soft);
  }
  .glyph {
    fill: none;
    stroke: var(--tandem-ink);
    stroke-width: 2.2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
`;

/** In `--kind`; silence has none. */
export const kindColors = css`
  .confirm {
    --kind: var(--tandem-right);
  }
  .decline {
    --kind: var(--tandem-wrong);
  }
  .directive {
    --kind: var(--tandem-seat1);
  }
  .reference {
    --kind: var(--tandem-seat0);
  }
`;

/** Lines for none, a half and all, over a chart so wide. */
export function axis(wide: number): SVGTemplateResult[] {
  return [0, 0.5, 1].map(
    (share) => svg`<path class="axis" d="M0 ${heightOf(share)}H${wide}" /><text x="-4" y=${heightOf(share) + 4} text-anchor="end">${100 * share}%</text>`,
  );
}

/** Where a share's bar begins, counted from the top. */
export function heightOf(share: number): number {
  return HIGH * (1 - share);
}
