/** A small bar chart: one bar a round, its number on top, readable in grey. */

import { html, svg, type TemplateResult } from "lit";

const HIGH = 120;
const WIDE = 46;
const LEFT = 48;

export function barChart(values: number[], names: string[], across: string, title: string, unit: string): TemplateResult {
  const top = ceiling(Math.max(...values, 1));
  const lines = [0, top / 2, top];
  const y = (value: number) => HIGH - (value / top) * HIGH;
  const right = LEFT + values.length * WIDE;
  const words = values.map((value, index) => `${across} ${names[index]}: ${value}`).join(", ");
  return html`
    <figure class="chart" part="chart">
      <figcaption>${title} <span>(${unit})</span></figcaption>
      <svg viewBox="0 -18 ${right + 6} ${HIGH + 44}" role="img" aria-label=${`${title}, ${unit}. ${words}`}>
        ${lines.map(
          (value) => svg`<path class="line" d="M${LEFT} ${y(value)}H${right}" />
            <text class="axis" x=${LEFT - 6} y=${y(value) + 4} text-anchor="end">${value}</text>`,
        )}
        <text class="axis" x=${LEFT - 6} y=${HIGH + 18} text-anchor="end">${across}</text>
        ${values.map((value, index) => {
          const x = LEFT + index * WIDE + 9;
          return svg`<rect class="bar" x=${x} y=${y(value)} width=${WIDE - 18} height=${Math.max(HIGH - y(value), 1)} rx="3" />
            <text class="value" x=${x + WIDE / 2 - 9} y=${y(value) - 5} text-anchor="middle">${value}</text>
            <text class="axis" x=${x + WIDE / 2 - 9} y=${HIGH + 18} text-anchor="middle">${names[index]}</text>`;
        })}
      </svg>
    </figure>
  `;
}

/** The next round, even number. */
export function ceiling(value: number): number {
  const step = 10 ** Math.floor(Math.log10(value));
  const found = [1, 2, 4, 6, 8, 10].map((times) => times * step).find((top) => top >= value) ?? value;
  return Math.max(2, found);
}
