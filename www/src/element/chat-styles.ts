import { css } from "lit";

export const chatStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    min-height: 0;
    padding: 0.75rem;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-line);
    border-radius: calc(var(--tandem-radius) * 1.4);
  }
  * {
    box-sizing: border-box;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    flex: none;
  }
  h2 {
    margin: 0;
    font-size: 1rem;
  }
  .state {
    margin-inline-start: auto;
    font-size: 0.875rem;
    color: var(--tandem-soft);
  }
  /* The partner's face: a hat over a beard. */
  .face {
    position: relative;
    width: 1.75rem;
    height: 1.75rem;
    border-radius: 50%;
    overflow: hidden;
    background: var(--tandem-seat1-soft);
    border: 1.5px solid var(--tandem-seat1);
  }
  .face::before {
    content: "";
    position: absolute;
    inset: 2px 4px 50%;
    background: var(--tandem-seat1);
    clip-path: polygon(58% 0, 100% 100%, 0 100%);
  }
  .face::after {
    content: "";
    position: absolute;
    inset: 55% 28% 8%;
    border-radius: 30% 30% 60% 60%;
    background: var(--tandem-surface);
    border: 1px solid var(--tandem-seat1);
  }
  .log {
    flex: 1 1 9rem;
    min-height: 6rem;
    overflow-y: auto;
    overscroll-behavior: contain;
    /* What only screen readers see scrolls along. */
    position: relative;
    display: flex;
    flex-direction: column;
    gap: 0.4rem;
    padding: 0.25rem;
    border-radius: var(--tandem-radius);
  }
  .log > :first-child {
    margin-top: auto;
  }
  .log > .empty {
    margin-block: auto;
  }
  p {
    margin: 0;
  }
  .empty {
    color: var(--tandem-soft);
    text-align: center;
    padding: 0.5rem 1rem;
  }
  .bubble {
    max-width: 85%;
    padding: 0.4rem 0.75rem;
    border-radius: 1rem;
    border: 1px solid;
    overflow-wrap: anywhere;
    animation: come 180ms ease-out;
  }
  .mine {
    align-self: flex-end;
    border-end-end-radius: 0.25rem;
    background: var(--tandem-seat0-soft);
    border-color: color-mix(in srgb, var(--tandem-seat0) 35%, transparent);
  }
  .theirs {
    align-self: flex-start;
    border-end-start-radius: 0.25rem;
    background: var(--tandem-seat1-soft);
    border-color: color-mix(in srgb, var(--tandem-seat1) 35%, transparent);
  }
  .dots {
    display: flex;
    gap: 0.3rem;
    padding: 0.7rem 0.8rem;
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
  .quick {
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem;
    flex: none;
  }
  button,
  input {
    font: inherit;
    color: inherit;
    min-height: 2.5rem;
    border: 1px solid var(--tandem-line-strong);
    border-radius: var(--tandem-radius);
    background: var(--tandem-surface);
  }
  button {
    padding: 0.25rem 0.8rem;
    cursor: pointer;
  }
  button:disabled,
  input:disabled {
    color: var(--tandem-soft);
    border-color: var(--tandem-line);
    cursor: default;
  }
  .note {
    align-self: flex-end;
    margin: -0.25rem 0 0;
    font-size: 0.8125rem;
    color: var(--tandem-soft);
    text-align: end;
  }
  .quick button {
    min-height: 2.125rem;
    padding: 0.1rem 0.7rem;
    font-size: 0.9375rem;
    border-radius: 1.1rem;
    border-color: var(--tandem-line);
    background: var(--tandem-paper);
  }
  @media (hover: hover) {
    .quick button:not(:disabled):hover {
      border-color: var(--tandem-line-strong);
    }
  }
  .main:not(:disabled) {
    color: var(--tandem-on-accent);
    background: var(--tandem-accent);
    border-color: var(--tandem-accent);
  }
  form {
    display: flex;
    gap: 0.5rem;
    flex: none;
  }
  input {
    flex: 1;
    min-width: 0;
    padding: 0.25rem 0.75rem;
  }
  input::placeholder {
    color: var(--tandem-soft);
    opacity: 1;
  }
  :focus-visible {
    outline: 3px solid var(--tandem-focus);
    outline-offset: 1px;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @keyframes come {
    from {
      opacity: 0;
      transform: translateY(0.4rem);
    }
  }
  @keyframes wait {
    from {
      opacity: 0.25;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bubble,
    .dots i {
      animation: none;
    }
  }
`;
