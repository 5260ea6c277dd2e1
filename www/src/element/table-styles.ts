/** What a place at any table shares: status line, buttons, the list of keys. */

import { css } from "lit";

export const placeStyles = css`
  * {
    box-sizing: border-box;
  }

  .status {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 1rem;
    font-variant-numeric: tabular-nums;
  }
  .turn {
    margin-inline-start: auto;
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
    padding: 0.2rem 0.8rem 0.2rem 0.5rem;
    border-radius: 1rem;
    border: 1.5px solid;
    font-weight: 700;
  }
  .turn.mine {
    color: var(--tandem-seat0);
    background: var(--tandem-seat0-soft);
  }
  .turn.theirs {
    color: var(--tandem-seat1);
    background: var(--tandem-seat1-soft);
  }
  .turn.over {
    color: var(--tandem-soft);
  }
  .sign {
    width: 1rem;
    height: 1rem;
    fill: currentColor;
  }

  .sides {
    flex: 1 1 auto;
    min-height: 0;
    display: flex;
    flex-direction: column;
    gap: var(--tandem-space);
  }
  .board:focus-visible {
    outline: 3px solid var(--tandem-focus);
    outline-offset: 3px;
  }

  .below {
    flex: none;
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .hint {
    flex: 1;
    min-height: 2.8em;
    display: flex;
    align-items: center;
    line-height: 1.4;
    color: var(--tandem-soft);
  }
  .keys dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0.3rem 1rem;
  }
  .keys dt {
    font-weight: 700;
  }
  .keys dd {
    margin: 0;
  }
  .keys button {
    justify-self: start;
  }

  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
