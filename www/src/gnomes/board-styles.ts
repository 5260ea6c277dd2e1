import { css } from "lit";

/** The signs on edges, on the board and in legends. */
export const edgeStyles = css`
  .edge {
    fill: none;
    stroke-width: 4.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .edge circle,
  .edge rect {
    fill: var(--tandem-surface);
    stroke-width: 3.5;
  }
  .edge.right {
    stroke: var(--tandem-right);
  }
  .edge.wrong {
    stroke: var(--tandem-wrong);
  }
  .edge.hidden {
    stroke: var(--tandem-seat1);
  }
  .edge.unknown {
    stroke: var(--tandem-soft);
  }
`;

export const boardStyles = css`
  ${edgeStyles}
  :host {
    display: block;
    position: relative;
    width: 100%;
    aspect-ratio: var(--ratio, 1);
  }
  * {
    box-sizing: border-box;
  }
  svg {
    display: block;
    width: 100%;
    height: 100%;
    overflow: visible;
  }
  .slab {
    fill: var(--tandem-hedge-deep);
  }
  .tile {
    fill: var(--tandem-floor);
    stroke: var(--tandem-floor-line);
    stroke-width: 1.5;
  }
  .tile.other {
    fill: var(--tandem-floor-other);
  }
  .trail {
    fill: var(--tandem-trail);
  }
  .glow {
    fill: var(--tandem-gold);
    opacity: 0.28;
  }

  .stars {
    fill: var(--tandem-star);
  }
  .near {
    stop-color: var(--tandem-lantern);
  }
  .far {
    stop-color: var(--tandem-lantern);
    stop-opacity: 0;
  }

  .hedges path {
    stroke-linecap: round;
  }
  .shade {
    stroke: var(--tandem-shadow);
    stroke-width: 24;
    transform: translate(4px, 7px);
  }
  .stem {
    stroke: var(--tandem-hedge-deep);
    stroke-width: 20;
  }
  .leaves {
    stroke: var(--tandem-hedge-deep);
    stroke-width: 28;
    stroke-dasharray: 0.01 14.27;
  }
  .tops {
    stroke: var(--tandem-hedge);
    stroke-width: 22;
    stroke-dasharray: 0.01 14.27;
  }
  .light {
    stroke: var(--tandem-hedge-light);
    stroke-width: 6;
    stroke-dasharray: 0.01 14.27;
    stroke-opacity: 0.8;
    transform: translate(-3px, -4px);
  }

  .token {
    transition: transform 220ms cubic-bezier(0.3, 0.7, 0.3, 1.15);
  }
  .jolt {
    transform-box: view-box;
  }

  .heat {
    fill: var(--tandem-gold);
    fill-opacity: 0.6;
    stroke: var(--tandem-wood-deep);
    stroke-width: 2;
    stroke-opacity: 0.6;
  }
  .hand button {
    position: absolute;
    padding: 0;
    border: 0;
    border-radius: 12%;
    background: none;
    color: inherit;
    cursor: pointer;
    /* A swipe from here is a step, not a scroll. */
    touch-action: none;
    -webkit-tap-highlight-color: transparent;
  }
  .hand button:disabled {
    cursor: default;
  }
  /* A chevron on the way out of the token's cell, where there is one. */
  .hand .open:not(.stay):not(:disabled)::after {
    content: "";
    position: absolute;
    inset: 0;
    margin: auto;
    width: 26%;
    height: 26%;
    border: solid var(--tandem-trail);
    border-width: 3px 3px 0 0;
    border-radius: 2px;
    opacity: 0.55;
    transition: opacity 150ms;
  }
  .hand .right::after {
    transform: translateX(-60%) rotate(45deg);
  }
  .hand .left::after {
    transform: translateX(60%) rotate(225deg);
  }
  .hand .up::after {
    transform: translateY(60%) rotate(-45deg);
  }
  .hand .down::after {
    transform: translateY(-60%) rotate(135deg);
  }
  @media (hover: hover) {
    .hand button:not(:disabled):hover {
      background: color-mix(in srgb, var(--tandem-gold) 22%, transparent);
    }
    .hand button:hover::after {
      opacity: 1;
    }
    .hand .shut:not(:disabled):hover {
      background: none;
      cursor: not-allowed;
    }
  }
  .hand button:focus-visible {
    outline: 3px solid var(--tandem-focus);
    outline-offset: -4px;
  }

  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (prefers-reduced-motion: reduce) {
    .token,
    .hand button::after {
      transition: none;
    }
  }
`;
