/** What the end of any game shares: its halves, its buttons, its table. */

import { css } from "lit";

export const endBase = css`
  * {
    box-sizing: border-box;
  }
  header,
  section {
    display: grid;
    gap: 0.75rem;
    align-content: start;
    min-width: 0;
  }
  .halves {
    display: grid;
    gap: calc(var(--tandem-space) * 2);
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
  thead th {
    color: var(--tandem-soft);
    font-weight: 400;
  }
  tfoot :is(th, td) {
    border-bottom: 0;
    border-top: 2px solid var(--tandem-line-strong);
    font-weight: 700;
  }
`;
