import { css } from "lit";

export const tableStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: var(--tandem-space);
    min-height: 0;
    /* Width left for the board beside the chat; the element around is the container. */
    --chat: 0px;
    --garden: 100cqi - 2 * var(--tandem-space);
    /* As wide as there is room, no higher than there is room. */
    --board: min(var(--garden), (var(--tandem-height) - 9rem) * var(--ratio));
  }
  p,
  h3,
  dl {
    margin: 0;
  }
  .rounds {
    display: inline-flex;
    align-items: center;
    gap: 0.6rem;
  }
  .pips {
    display: inline-flex;
  }
  .pip {
    width: 1.375rem;
    height: 1.375rem;
    fill: none;
    stroke: var(--tandem-line-strong);
    stroke-width: 1.6;
    stroke-linejoin: round;
  }
  .pip.found {
    fill: var(--tandem-gold);
    stroke: var(--tandem-wood);
  }
  .pip.now {
    stroke: var(--tandem-ink);
    stroke-width: 2.4;
  }
  .pip.given-up {
    stroke-dasharray: 3 2;
  }
  .garden {
    flex: 1 1 auto;
    min-height: 0;
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
  }
  .boardbox {
    position: relative;
    /* Less where the page gives less. */
    flex: 1 1 calc(var(--board) / var(--ratio));
    min-height: 13rem;
    container-type: size;
    display: grid;
    place-items: center;
  }
  .board {
    position: relative;
    width: min(100cqw, 100cqh * var(--ratio));
    border-radius: calc(var(--tandem-radius) * 1.4);
  }
  tandem-chat {
    flex: 1 0 auto;
  }
  @container (min-width: 760px) {
    :host {
      --chat: clamp(17rem, 30cqi, 24rem);
      --garden: 100cqi - 3 * var(--tandem-space) - var(--chat);
      --board: min(var(--garden), (var(--tandem-height) - 11.5rem) * var(--ratio));
      --widest: 36rem;
      width: 100%;
      max-width: calc(var(--board) + var(--tandem-space) + var(--widest));
      margin-inline: auto;
    }
    .sides {
      flex-direction: row;
    }
    .garden {
      flex: 0 0 var(--board);
      min-width: 0;
    }
    tandem-chat {
      flex: 1 1 var(--chat);
      height: auto;
      min-height: 15rem;
      /* As high as the board, whatever was said. */
      contain: size;
      contain-intrinsic-size: var(--chat) 15rem;
    }
  }
  .small {
    font: inherit;
    color: inherit;
    min-height: 2.25rem;
    padding: 0.1rem 0.9rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line-strong);
    border-radius: 1.2rem;
    cursor: pointer;
    white-space: nowrap;
  }
  .small.round {
    width: 2.25rem;
    padding: 0;
    font-weight: 700;
  }
  .small:disabled {
    color: var(--tandem-soft);
    border-color: var(--tandem-line);
    cursor: default;
  }
  .small:focus-visible {
    outline: 3px solid var(--tandem-focus);
    outline-offset: 2px;
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
    animation: come 220ms ease-out;
  }
  .keys {
    position: absolute;
    z-index: 2;
    width: min(22rem, 94%);
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
  @keyframes come {
    from {
      opacity: 0;
      transform: translateY(0.6rem);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .note {
      animation: none;
    }
  }
`;
