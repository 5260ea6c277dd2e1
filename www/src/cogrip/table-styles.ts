import { css } from "lit";
import { pieceStyles } from "./piece-styles";

/** Speech, the same at the table and where it is watched. */
export const speechStyles = css`
  .bubble {
    width: fit-content;
    max-width: 100%;
    padding: 0.35rem 0.75rem;
    border: 1px solid;
    border-radius: 1rem;
    overflow-wrap: anywhere;
  }
  .bubble.mine {
    background: var(--tandem-seat0-soft);
    border-color: color-mix(in srgb, var(--tandem-seat0) 35%, transparent);
  }
  .bubble.theirs {
    border-end-start-radius: 0.25rem;
    background: var(--tandem-seat1-soft);
    border-color: color-mix(in srgb, var(--tandem-seat1) 35%, transparent);
  }
  .speech {
    flex: none;
    display: flex;
    align-items: center;
    gap: 0.6rem;
    min-height: 2.9rem;
  }
  .speech .who {
    flex: none;
    font-size: 0.875rem;
    color: var(--tandem-soft);
  }
  .speech .now {
    font-size: 1.0625rem;
    font-weight: 700;
  }
  .speech .quiet {
    font-weight: 400;
    font-style: italic;
    color: var(--tandem-soft);
    border-style: dashed;
    background: none;
  }
  .dots {
    display: flex;
    gap: 0.3rem;
    padding: 0.75rem 0.8rem;
  }
  .dots i {
    width: 0.4rem;
    height: 0.4rem;
    border-radius: 50%;
    background: var(--tandem-seat1);
    animation: wait 1s infinite alternate ease-in-out;
  }
  .dots i:nth-child(2) {
    animation-delay: 0.25s;
  }
  .dots i:nth-child(3) {
    animation-delay: 0.5s;
  }
  @keyframes wait {
    from {
      opacity: 0.25;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .dots i {
      animation: none;
    }
  }
`;

export const tableStyles = css`
  ${pieceStyles}
  ${speechStyles}
  :host {
    display: flex;
    flex-direction: column;
    gap: var(--tandem-space);
    min-height: 0;
  }
  p,
  h3,
  dl,
  ul {
    margin: 0;
  }
  h3 {
    font-size: 0.875rem;
    font-weight: 700;
    color: var(--tandem-soft);
  }
  small,
  .small {
    font-size: 0.875rem;
  }
  .soft {
    color: var(--tandem-soft);
  }
  .steps {
    display: inline-flex;
    align-items: center;
    gap: 0.6rem;
  }
  .meter {
    height: 1.1rem;
    width: 8.25rem;
    fill: var(--tandem-line);
  }
  .meter .past {
    fill: var(--tandem-line-strong);
  }
  .meter .now {
    fill: var(--tandem-accent);
  }
  .field,
  .panel {
    min-width: 0;
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
  }
  .panel {
    gap: 0.75rem;
  }
  .boardbox {
    position: relative;
    display: grid;
    place-items: center;
  }
  .board {
    position: relative;
    width: 100%;
    max-width: max(18rem, var(--tandem-height) - 14rem);
    border-radius: calc(var(--tandem-radius) * 1.6);
  }
  .log {
    height: 11rem;
  }
  @container (min-width: 760px) {
    :host {
      --panel: clamp(19rem, 34cqi, 27rem);
      --field: min(100cqi - 3 * var(--tandem-space) - var(--panel), max(20rem, var(--tandem-height) - 14rem));
      width: 100%;
      max-width: calc(var(--field) + var(--tandem-space) + 32rem);
      margin-inline: auto;
    }
    .sides {
      flex-direction: row;
    }
    .field {
      flex: 0 0 var(--field);
    }
    .board {
      max-width: none;
    }
    .panel {
      flex: 1 1 var(--panel);
      max-width: 32rem;
    }
    .talk {
      flex: 1 1 9rem;
      min-height: 9rem;
    }
    .log {
      flex: 1 1 0;
      height: auto;
      min-height: 6rem;
    }
  }
  @container (max-width: 480px) {
    .meter {
      display: none;
    }
    .below {
      flex-wrap: wrap;
    }
    .hint {
      flex-basis: 100%;
    }
    .below button:not(.help) {
      flex: 1;
    }
  }
  button,
  input {
    font: inherit;
    color: inherit;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line-strong);
    border-radius: var(--tandem-radius);
  }
  button {
    cursor: pointer;
  }
  button.small {
    min-height: 2.5rem;
    padding: 0.1rem 0.9rem;
    border-radius: 1.3rem;
    font-size: 1rem;
    white-space: nowrap;
  }
  button.help {
    width: 2.5rem;
    padding: 0;
    font-weight: 700;
  }
  button:disabled,
  input:disabled {
    color: var(--tandem-soft);
    border-color: var(--tandem-line);
    cursor: default;
  }
  button:focus-visible,
  input:focus-visible,
  .log:focus-visible {
    outline: 3px solid var(--tandem-focus);
    outline-offset: 1px;
  }
  .main:not(:disabled) {
    color: var(--tandem-on-accent);
    background: var(--tandem-accent);
    border-color: var(--tandem-accent);
  }

  .goal {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    padding: 0.5rem 0.75rem;
    background: var(--tandem-surface);
    border: 2px dashed var(--tandem-ink);
    border-radius: var(--tandem-radius);
    line-height: 1.3;
  }
  .goal small {
    display: block;
    color: var(--tandem-soft);
  }
  .swatch.big {
    width: 2rem;
    height: 2rem;
  }
  .intents {
    display: grid;
    gap: 0.35rem;
  }
  .intents h3 span {
    font-weight: 400;
  }
  .say {
    display: flex;
    align-items: center;
    gap: 0.45rem;
    min-height: 2.25rem;
    padding: 0.1rem 0.6rem;
    text-align: start;
    line-height: 1.2;
  }
  .say .words {
    flex: 1;
  }
  .say .cost {
    font-size: 0.8125rem;
    color: var(--tandem-soft);
    font-variant-numeric: tabular-nums;
  }
  .say .order {
    flex: none;
    width: 2.4rem;
    font-size: 0.8125rem;
    letter-spacing: 0.05em;
    color: var(--tandem-soft);
  }
  kbd {
    flex: none;
    min-width: 1.2rem;
    font: inherit;
    font-size: 0.75rem;
    line-height: 1.15rem;
    text-align: center;
    color: var(--tandem-soft);
    border: 1px solid var(--tandem-line);
    border-radius: 4px;
  }
  @media (hover: none) {
    kbd {
      display: none;
    }
  }
  @media (hover: hover) {
    .say:not(:disabled):hover {
      background: var(--tandem-seat0-soft);
      border-color: var(--tandem-seat0);
    }
  }
  .orders {
    display: grid;
    gap: 0.3rem;
  }
  .pad,
  .plain {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(6.1rem, 1fr));
    gap: 0.3rem;
  }
  .pad .say,
  .plain .say {
    gap: 0.2rem;
    padding-inline: 0.35rem;
    font-size: 0.9375rem;
  }
  .say .glyph {
    flex: none;
    width: 0.9rem;
    height: 0.9rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 2.2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  form {
    display: flex;
    gap: 0.5rem;
  }
  form > * {
    min-height: 2.5rem;
    padding: 0.2rem 0.8rem;
  }
  form button {
    white-space: nowrap;
  }
  input {
    flex: 1;
    min-width: 0;
  }
  input::placeholder {
    color: var(--tandem-soft);
    opacity: 1;
  }

  .where {
    display: flex;
    align-items: center;
    gap: 1rem;
  }
  .where p {
    display: grid;
    line-height: 1.35;
  }
  .where b {
    font-size: 1.125rem;
  }
  .where small {
    color: var(--tandem-soft);
  }
  .map {
    flex: none;
    width: clamp(8.5rem, 40cqi, 11.5rem);
  }
  .map .third {
    fill: var(--tandem-bench);
    stroke: var(--tandem-bench-line);
    stroke-width: 5;
  }
  .map .third.here {
    stroke: var(--tandem-ink);
    stroke-width: 8;
  }
  .map text {
    font-family: var(--tandem-font);
    font-size: 54px;
    fill: var(--tandem-bench-name);
  }
  .map .trail {
    fill: none;
    stroke: var(--tandem-trail);
    stroke-width: 12;
    stroke-linejoin: round;
    stroke-linecap: round;
    stroke-dasharray: 0.1 24;
  }
  .map .sight {
    fill: var(--tandem-claw);
    fill-opacity: 0.08;
    stroke: var(--tandem-claw);
    stroke-width: 6;
    stroke-dasharray: 26 16;
  }
  .map .spot {
    fill: var(--tandem-claw-edge);
    stroke: var(--tandem-claw);
    stroke-width: 12;
  }
  .map .spot.dot {
    fill: var(--tandem-claw);
    stroke: none;
  }
  .colors {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.9rem;
    padding: 0;
    list-style: none;
    font-size: 0.9375rem;
  }

  .talk {
    display: flex;
    flex-direction: column;
    gap: 0.35rem;
    min-height: 0;
  }
  .log {
    position: relative;
    overflow-y: auto;
    overscroll-behavior: contain;
    display: flex;
    flex-direction: column;
    gap: 0.35rem;
    padding: 0.6rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line);
    border-radius: var(--tandem-radius);
  }
  .log > :first-child {
    margin-top: auto;
  }
  .log > .soft:only-child {
    margin: auto;
  }
  .log .bubble {
    flex: none;
  }
  .log .mine {
    align-self: flex-end;
    border-end-end-radius: 0.25rem;
  }
  .log .step {
    margin-inline-end: 0.25rem;
    font-size: 0.75rem;
    color: var(--tandem-soft);
    font-variant-numeric: tabular-nums;
  }
  .log .bubble small {
    display: block;
    color: var(--tandem-soft);
  }
  .log .answer {
    background: none;
    border-style: dashed;
    border-color: var(--tandem-line-strong);
    border-end-start-radius: 0.25rem;
  }
  .log .pause {
    flex: none;
    text-align: center;
    font-size: 0.8125rem;
    font-style: italic;
    color: var(--tandem-soft);
  }
  .divider {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    font-size: 0.8125rem;
    color: var(--tandem-soft);
  }
  .divider::before,
  .divider::after {
    content: "";
    flex: 1;
    border-top: 1px solid var(--tandem-line);
  }

  .note {
    position: absolute;
    inset: auto 6% 6%;
    padding: 0.7rem 1rem;
    text-align: center;
    white-space: pre-line;
    background: var(--tandem-surface);
    border: 2px solid var(--tandem-gold);
    border-radius: var(--tandem-radius);
    box-shadow: 0 6px 22px var(--tandem-shadow);
    pointer-events: none;
  }
  .keys {
    position: absolute;
    z-index: 2;
    width: min(24rem, 96%);
    max-height: 96%;
    overflow: auto;
    display: grid;
    gap: 0.6rem;
    padding: 1rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line-strong);
    border-radius: var(--tandem-radius);
    box-shadow: 0 8px 30px var(--tandem-shadow);
  }
`;
