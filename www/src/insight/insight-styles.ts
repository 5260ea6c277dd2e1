import { css } from "lit";

export const insightStyles = css`
  :host {
    display: block;
    font-size: 0.9375rem;
  }
  * {
    box-sizing: border-box;
  }
  h2,
  h3,
  h4,
  p,
  ul,
  dl,
  pre {
    margin: 0;
  }
  h2 {
    font-size: 1.125rem;
  }
  h3 {
    font-size: 1rem;
  }
  h4 {
    font-size: 0.9375rem;
  }
  small,
  .soft {
    font-weight: 400;
    color: var(--tandem-soft);
  }
  .all {
    display: grid;
    gap: var(--tandem-space);
    padding: var(--tandem-space);
    background: var(--tandem-sunk);
    border: 1px solid var(--tandem-line);
    border-radius: calc(var(--tandem-radius) * 1.4);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
  }
  .picker {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    font-variant-numeric: tabular-nums;
  }
  button {
    font: inherit;
    color: inherit;
    min-width: 2.25rem;
    min-height: 2.25rem;
    padding: 0 0.6rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line-strong);
    border-radius: var(--tandem-radius);
    cursor: pointer;
  }
  button:disabled {
    color: var(--tandem-soft);
    border-color: var(--tandem-line);
    cursor: default;
  }
  :focus-visible {
    outline: 3px solid var(--tandem-focus);
    outline-offset: 1px;
  }
  .cards {
    columns: 18rem;
    column-gap: var(--tandem-space);
  }
  .cards > .card {
    break-inside: avoid;
    margin-bottom: var(--tandem-space);
  }
  .card {
    display: grid;
    gap: 0.5rem;
    min-width: 0;
    padding: 0.75rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line);
    border-radius: var(--tandem-radius);
  }
  ul {
    padding: 0;
    list-style: none;
  }
  .heard {
    display: grid;
    gap: 0.25rem;
  }
  q {
    font-style: italic;
    overflow-wrap: anywhere;
  }
  .flag {
    display: inline-block;
    padding: 0 0.5rem;
    border: 1px solid var(--tandem-line-strong);
    border-radius: 0.9rem;
    white-space: nowrap;
  }
  dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 0.3rem 0.75rem;
    align-items: baseline;
  }
  dt {
    color: var(--tandem-soft);
  }
  dd {
    margin: 0;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0.2rem 0.35rem;
    text-align: end;
    font-weight: 400;
  }
  th:first-child {
    text-align: start;
    white-space: nowrap;
    padding-inline-start: 0;
  }
  thead {
    color: var(--tandem-soft);
    font-size: 0.875rem;
  }
  .wide {
    width: 55%;
    text-align: start;
  }
  td.wide {
    display: flex;
    align-items: center;
    width: auto;
    gap: 0.4rem;
  }
  td.wide b {
    font-weight: 400;
    min-width: 2.5ch;
  }
  .track {
    flex: 1;
    height: 0.8rem;
    background: var(--tandem-sunk);
    border-radius: 0.2rem;
  }
  .track i {
    display: block;
    height: 100%;
    min-width: 1px;
    background: var(--tandem-line-strong);
    border-radius: 0.2rem;
  }
  .chosen :is(th, td, td b) {
    font-weight: 700;
  }
  .chosen .track i {
    background: var(--tandem-accent);
  }
  .legend {
    display: grid;
    gap: 0.25rem;
    color: var(--tandem-soft);
  }
  .legend i {
    display: inline-block;
    width: 1.1rem;
    height: 1.1rem;
    border-radius: 50%;
    border: 1.5px solid var(--tandem-wood-deep);
    vertical-align: -0.15em;
    font-style: normal;
    text-align: center;
    line-height: 0.9rem;
    font-size: 0.75rem;
  }
  .spot {
    background: var(--tandem-gold);
  }
  .cross {
    color: var(--tandem-seat1);
    border-color: var(--tandem-seat1);
  }
  .tree .tree {
    margin-inline-start: 0.6rem;
    padding-inline-start: 0.6rem;
    border-inline-start: 1px solid var(--tandem-line);
  }
  .tree span {
    color: var(--tandem-soft);
    font-variant-numeric: tabular-nums;
  }
  summary {
    cursor: pointer;
    padding: 0.1rem 0;
  }
  .leaf {
    padding: 0.1rem 0 0.1rem 1.05rem;
  }
  pre {
    max-height: 14rem;
    overflow: auto;
    padding: 0.5rem;
    font: 0.8125rem/1.5 var(--tandem-mono);
    background: var(--tandem-sunk);
    border-radius: calc(var(--tandem-radius) / 2);
  }
`;
