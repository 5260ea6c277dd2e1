import { css } from "lit";

/** The element's frame and panels. What lies on the table has styles of its own. */
export const styles = css`
  :host {
    display: block;
    container-type: inline-size;
    min-width: 280px;
    color: var(--tandem-ink);
    background: var(--tandem-paper);
    font-family: var(--tandem-font);
    line-height: 1.45;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  /* In a box too low for what is shown the element scrolls, rather than lay one thing over the other. */
  .frame {
    display: flex;
    flex-direction: column;
    gap: var(--tandem-space);
    height: 100%;
    padding: var(--tandem-space);
    overflow-y: auto;
  }
  .frame > * {
    flex: none;
  }
  .stage {
    flex: 1 0 auto;
    min-height: 17rem;
    display: flex;
    flex-direction: column;
  }
  .stage > :is(tandem-gnomes, tandem-cogrip) {
    flex: 1;
  }
  /* This table fits itself into the room there is, down to that. */
  .stage:has(> tandem-gnomes) {
    flex: 1;
    min-height: 47rem;
  }
  @container (min-width: 760px) {
    .stage:has(> tandem-gnomes) {
      min-height: 23rem;
    }
  }
  h2,
  h3,
  p {
    margin: 0;
  }
  h2 {
    font-size: 1.25rem;
  }
  h3 {
    font-size: 1rem;
  }

  .panel {
    margin: auto;
    width: min(36rem, 100%);
    display: grid;
    gap: 0.75rem;
    padding: clamp(0.75rem, 4cqi, 1.5rem);
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line);
    border-radius: var(--tandem-radius);
  }
  .panel.failure {
    border-inline-start: 6px solid var(--tandem-wrong);
  }
  .panel.loading {
    background: none;
    border: none;
    text-align: center;
  }
  progress {
    width: 100%;
    height: 0.6rem;
    accent-color: var(--tandem-accent);
  }
  .words {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 0.25rem 1rem;
    margin: 0;
  }
  dt {
    color: var(--tandem-soft);
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  code {
    overflow-wrap: anywhere;
  }
  .small {
    font-size: 0.875rem;
    color: var(--tandem-soft);
  }
  .warning {
    padding: 0.4rem 0.75rem;
    font-size: 0.875rem;
    border: 1px dashed var(--tandem-line-strong);
    border-radius: var(--tandem-radius);
  }

  .buttons,
  .bar,
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  .bar {
    font-size: 0.875rem;
  }
  .bar > button,
  .bar > details > summary {
    color: var(--tandem-soft);
    background: none;
    border-color: transparent;
  }
  .bar > button:hover,
  .bar > details > summary:hover {
    color: var(--tandem-ink);
    border-color: var(--tandem-line-strong);
  }
  .bar .gap {
    flex: 1;
  }
  button,
  select,
  summary {
    font: inherit;
    color: inherit;
    min-height: 2.25rem;
    padding: 0.3rem 0.8rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line-strong);
    border-radius: var(--tandem-radius);
    cursor: pointer;
  }
  summary {
    list-style-position: inside;
  }
  button.main {
    color: var(--tandem-on-accent);
    background: var(--tandem-accent);
    border-color: var(--tandem-accent);
  }
  button:focus-visible,
  select:focus-visible,
  summary:focus-visible {
    outline: 3px solid var(--tandem-focus);
    outline-offset: 2px;
  }
  .bar details[open] {
    flex-basis: 100%;
    order: 1;
  }
  .bar summary {
    display: inline-flex;
    align-items: center;
  }
  .earlier {
    margin: 0.5rem 0 0;
    padding: 0;
    list-style: none;
    display: grid;
    gap: 0.35rem;
  }
  .earlier li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }

  .watch {
    display: grid;
    gap: var(--tandem-space);
    justify-items: center;
  }
  .watch > * {
    width: min(100%, 68rem);
  }
  .watch .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--tandem-space);
  }
  .watch .status {
    font-variant-numeric: tabular-nums;
  }
  .boards {
    display: grid;
    gap: var(--tandem-space);
    grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr));
  }
  figure {
    margin: 0;
  }
  figcaption {
    margin-bottom: 0.35rem;
    padding-inline-start: 0.6rem;
    border-inline-start: 0.35rem solid currentColor;
    font-weight: 700;
  }
  figcaption .now {
    font-weight: 400;
  }
  figcaption.seat0,
  .talk .seat0 b {
    color: var(--tandem-seat0);
  }
  figcaption.seat1,
  .talk .seat1 b {
    color: var(--tandem-seat1);
  }
  .talk {
    margin: 0;
    padding: 0.6rem 0.9rem;
    line-height: 1.6;
    height: calc(6 * 1.6em + 1.2rem);
    overflow: hidden;
    display: flex;
    flex-direction: column;
    justify-content: flex-end;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line);
    border-radius: var(--tandem-radius);
  }
`;
