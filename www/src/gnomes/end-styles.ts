import { css } from "lit";
import { edgeStyles } from "./board-styles";

export const endStyles = css`
  ${edgeStyles}
  :host {
    display: grid;
    gap: calc(var(--tandem-space) * 1.5);
    align-content: start;
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
  .soft {
    color: var(--tandem-soft);
  }
  @container (min-width: 760px) {
    .halves {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
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
