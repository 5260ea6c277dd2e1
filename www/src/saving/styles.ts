import { css } from "lit";

/** How saving is shown: small while playing, a panel above the end. */
export const savingStyles = css`
  .saving,
  .saving-end .head {
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
  }
  .saving {
    padding-inline: 0.5rem;
    color: var(--tandem-soft);
  }
  .saving:is([data-state="refused"], [data-state="trouble"]) {
    color: var(--tandem-ink);
  }
  :is(.saving, .saving-end) svg {
    flex: none;
    width: 1em;
    height: 1em;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .saving-end {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem;
    margin-bottom: calc(var(--tandem-space) * 1.5);
    padding: 0.75rem 1rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line);
    border-inline-start: 6px solid var(--tandem-line-strong);
    border-radius: var(--tandem-radius);
  }
  .saving-end[data-state="saved"] {
    border-inline-start-color: var(--tandem-right);
  }
  .saving-end[data-state="refused"] {
    border-inline-start-color: var(--tandem-wrong);
  }
  .saving-end .said {
    display: grid;
    gap: 0.25rem;
    flex: 1 1 18rem;
    min-width: 0;
    overflow-wrap: anywhere;
    font-variant-numeric: tabular-nums;
  }
`;
