import { css } from "lit";
import { kindColors } from "./chart";
import { pieceStyles } from "./piece-styles";

export const boardStyles = css`
  ${pieceStyles}
  ${kindColors}
  :host {
    display: block;
    position: relative;
    width: 100%;
    aspect-ratio: 1;
  }
  * {
    box-sizing: border-box;
  }
  svg {
    display: block;
    width: 100%;
    height: 100%;
  }
  .frame {
    fill: var(--tandem-bench-frame);
  }
  .bench {
    fill: var(--tandem-bench);
  }
  .grid {
    stroke: var(--tandem-bench-line);
    stroke-width: 1.5;
    fill: none;
  }
  .area {
    stroke: var(--tandem-bench-area);
    stroke-width: 2.5;
    stroke-dasharray: 2 9;
    stroke-linecap: round;
    fill: none;
  }
  .name {
    font-family: var(--tandem-font);
    font-size: 15px;
    fill: var(--tandem-bench-name);
  }
  .whole .name {
    font-size: 21px;
  }
  .trail {
    fill: none;
    stroke: var(--tandem-trail);
    stroke-width: 5;
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-dasharray: 0.1 10;
  }
  .start {
    fill: none;
    stroke: var(--tandem-trail);
    stroke-width: 3;
  }
  .out {
    fill: var(--tandem-bench-frame);
  }
  .hatch {
    stroke: var(--tandem-bench);
    stroke-opacity: 0.35;
    stroke-width: 3;
  }
  .edge {
    fill: none;
    stroke: var(--tandem-bench-frame);
    stroke-width: 5;
  }

  .target path {
    fill: none;
    stroke-linejoin: round;
  }
  .target .halo {
    stroke: var(--tandem-bench);
    stroke-width: 8;
  }
  .target .ring {
    stroke: var(--tandem-ink);
    stroke-width: 4;
    stroke-dasharray: 9 5;
  }
  .target .flag {
    fill: var(--tandem-gold);
    stroke: var(--tandem-ink);
    stroke-width: 2.5;
  }

  .unseen-part {
    fill: #000;
    opacity: 0.13;
  }
  .sight {
    fill: none;
    stroke: var(--tandem-claw);
    stroke-width: 2.5;
    stroke-dasharray: 14 8;
    opacity: 0.75;
  }

  .plan {
    fill: none;
    stroke: var(--tandem-seat1);
    stroke-width: 4;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .plan.under,
  .goal circle {
    stroke: var(--tandem-bench);
    stroke-width: 8;
  }
  .goal circle {
    fill: none;
    stroke-width: 6;
  }
  .goal path {
    stroke: var(--tandem-seat1);
    stroke-width: 4.5;
    stroke-linecap: round;
  }

  .said rect {
    fill: var(--kind, none);
  }
  .signs .region {
    fill: none;
    stroke: var(--tandem-ink);
    stroke-width: 2.5;
    stroke-opacity: 0.55;
  }
  .signs .glyph {
    fill: none;
    stroke: var(--tandem-ink);
    stroke-width: 3;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .signs .silent {
    fill: var(--tandem-ink);
  }
  .signs text {
    font-family: var(--tandem-font);
    font-size: 19px;
    font-weight: 700;
    fill: var(--tandem-ink);
  }
  .signs .halo :is(.glyph, text, .silent) {
    stroke: var(--tandem-bench);
    stroke-width: 6;
    stroke-linejoin: round;
  }

  .gripper {
    transition: transform 180ms ease-out;
  }
  .cast {
    fill: none;
    stroke: var(--tandem-shadow);
    stroke-width: 9;
  }
  .hub {
    fill: none;
    stroke: var(--tandem-claw-edge);
    stroke-width: 8.5;
  }
  .hub.inner {
    stroke: var(--tandem-claw);
    stroke-width: 4;
  }
  .jaw {
    fill: var(--tandem-claw);
    stroke: var(--tandem-claw-edge);
    stroke-width: 2.5;
    stroke-linejoin: round;
  }
  .bolt {
    fill: var(--tandem-claw-edge);
  }

  .hand,
  .hand button {
    position: absolute;
    inset: 0;
  }
  .hand button {
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    cursor: pointer;
    -webkit-tap-highlight-color: transparent;
  }
  .hand button:disabled {
    cursor: default;
  }
  .hand .up {
    clip-path: polygon(0 0, 100% 0, 50% 50%);
  }
  .hand .right {
    clip-path: polygon(100% 0, 100% 100%, 50% 50%);
  }
  .hand .down {
    clip-path: polygon(100% 100%, 0 100%, 50% 50%);
  }
  .hand .left {
    clip-path: polygon(0 100%, 0 0, 50% 50%);
  }
  .hand .take {
    inset: 43%;
    border-radius: 50%;
  }
  /* The way a press leads, beside the gripper. */
  .hand button:not(.take)::after {
    content: "";
    position: absolute;
    width: 2.2%;
    height: 2.2%;
    border: solid var(--tandem-claw);
    border-width: 3px 3px 0 0;
    border-radius: 2px;
    opacity: 0.45;
    transition: opacity 150ms;
  }
  .hand button:disabled::after {
    display: none;
  }
  .hand .up::after {
    inset: 40.5% auto auto 48.9%;
    transform: rotate(-45deg);
  }
  .hand .down::after {
    inset: auto auto 40.5% 48.9%;
    transform: rotate(135deg);
  }
  .hand .left::after {
    inset: 48.9% auto auto 40.5%;
    transform: rotate(-135deg);
  }
  .hand .right::after {
    inset: 48.9% 40.5% auto auto;
    transform: rotate(45deg);
  }
  @media (hover: hover) {
    .hand button:not(.take, :disabled):hover {
      background: color-mix(in srgb, var(--tandem-claw) 6%, transparent);
    }
    .hand button:hover::after {
      opacity: 1;
    }
    .hand .take:not(:disabled):hover {
      background: color-mix(in srgb, var(--tandem-gold) 30%, transparent);
    }
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
    .gripper,
    .hand button::after {
      transition: none;
    }
  }
`;
