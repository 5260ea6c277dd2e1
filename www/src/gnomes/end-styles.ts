import { css } from "lit";
import { edgeStyles } from "./board-styles";

export const endStyles = css`
  ${edgeStyles}
  :host {
    display: grid;
    gap: calc(var(--tandem-space) * 1.5);
    align-content: start;
  }
  * {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  figure,
  ul {
    margin: 0;
  }
  h2 {
    font-size: 1.5rem;
  }
  h3 {
    font-size: 1.125rem;
  }
  header,
  section {
    display: grid;
    gap: 0.75rem;
    align-content: start;
    min-width: 0;
  }
  .soft {
    color: var(--tandem-soft);
  }
  .halves {
    display: grid;
    gap: calc(var(--tandem-space) * 2);
  }
  @container (min-width: 760px) {
    .halves {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    font: inherit;
    color: inherit;
    text-decoration: none;
    min-height: 2.5rem;
    padding: 0.25rem 1rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line-strong);
    border-radius: var(--tandem-radius);
    cursor: pointer;
  }
  .main {
    color: var(--tandem-on-accent);
    background: var(--tandem-accent);
    border-color: var(--tandem-accent);
  }
  :focus-visible {
    outline: 3px solid var(--tandem-focus);
    outline-offset: 2px;
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0.35rem clamp(0.2rem, 1.2cqi, 0.5rem);
    text-align: end;
    border-bottom: 1px solid var(--tandem-line);
  }
  th:first-child {
    text-align: start;
  }
  thead th {
    color: var(--tandem-soft);
    font-weight: 400;
  }
  tfoot :is(th, td) {
    border-bottom: 0;
    border-top: 2px solid var(--tandem-line-strong);
    font-weight: 700;
  }
  .charts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr));
    gap: var(--tandem-space);
  }
  figcaption span {
    color: var(--tandem-soft);
  }
  .chart svg {
    display: block;
    width: 100%;
    max-width: 22rem;
    margin-top: 0.25rem;
  }
  .line {
    stroke: var(--tandem-line);
    fill: none;
  }
  .bar {
    fill: var(--tandem-accent);
  }
  text {
    font-size: 13px;
    font-family: inherit;
    font-variant-numeric: tabular-nums;
    fill: var(--tandem-ink);
  }
  text.axis {
    fill: var(--tandem-soft);
  }
  tandem-gnomes-board {
    max-width: 34rem;
  }
  .legend {
    padding: 0;
    list-style: none;
    display: grid;
    gap: 0.3rem;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .sign {
    flex: none;
    width: 1.6rem;
    height: 1.6rem;
  }
`;
