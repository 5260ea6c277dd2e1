/** The drawings: each for a cell of 100 by 100, around its middle. */

import { svg, type SVGTemplateResult } from "lit";

/** The token: a garden gnome with a lantern. */
export const gnome: SVGTemplateResult = svg`
  <ellipse cx="1" cy="35" rx="25" ry="7" fill="var(--tandem-shadow)" />
  <path d="M-15 30 q-2 8 6 8 h7 v-10 z M15 30 q2 8 -6 8 h-7 v-10 z" fill="#3b2a20" />
  <path d="M-22 31 C-24 8 -14 -4 0 -4 C14 -4 24 8 22 31 Q0 38 -22 31 Z" fill="#2f6690" stroke="#1d4463" stroke-width="2" />
  <path d="M-24 14 q-6 8 1 13 M24 14 q6 8 -1 13" fill="none" stroke="#244f70" stroke-width="8" stroke-linecap="round" />
  <circle cy="-6" r="13" fill="#f3c9a5" stroke="#9c6a48" stroke-width="1.5" />
  <path d="M-15 -3 C-20 16 -8 29 0 31 C8 29 20 16 15 -3 C9 4 -9 4 -15 -3 Z" fill="#fbf7ee" stroke="#b9ad9a" stroke-width="1.5" />
  <path d="M-8 3 q4 5 8 0 q4 5 8 0" fill="none" stroke="#d8cebd" stroke-width="2.5" stroke-linecap="round" />
  <ellipse cy="-1" rx="5" ry="4.2" fill="#e29a77" />
  <circle cx="-5.5" cy="-8" r="1.9" fill="#2a2520" />
  <circle cx="5.5" cy="-8" r="1.9" fill="#2a2520" />
  <path d="M-19 -10 C-15 -32 -4 -46 9 -48 C9 -38 15 -24 19 -10 Q0 -19 -19 -10 Z" fill="#b8402d" stroke="#7d2417" stroke-width="2" stroke-linejoin="round" />
  <path d="M-19 -10 Q0 -19 19 -10" fill="none" stroke="#7d2417" stroke-width="5" stroke-linecap="round" />
  <path d="M-8 -24 q5 -11 11 -15" fill="none" stroke="#e0705c" stroke-width="3" stroke-linecap="round" />
  <g stroke="#4a3420" stroke-width="2"><path d="M25 17 q5 -10 10 0" fill="none" /><path d="M24 18 h12 l2 13 h-16 z" fill="#ffd97a" />
    <path d="M23.5 18 h13 M21.5 31 h17" stroke-width="4" stroke-linecap="round" /></g>
`;

const body = svg`
  <ellipse cx="2" cy="28" rx="31" ry="6" fill="var(--tandem-shadow)" />
  <rect x="-28" y="-4" width="56" height="31" rx="4" fill="var(--tandem-wood)" stroke="var(--tandem-wood-deep)" stroke-width="3" />
  <path d="M-28 12 h56" stroke="var(--tandem-wood-deep)" stroke-width="2" />
  <path d="M-17 -4 v31 M17 -4 v31" stroke="var(--tandem-gold)" stroke-width="6" />
  <path d="M-28 -4 h56" stroke="var(--tandem-wood-deep)" stroke-width="3" />
`;
const lock = svg`
  <rect x="-7" y="-9" width="14" height="16" rx="3" fill="var(--tandem-gold)" stroke="var(--tandem-wood-deep)" stroke-width="2" />
  <circle cy="-2" r="2.4" fill="var(--tandem-wood-deep)" /><path d="M0 -2 v5" stroke="var(--tandem-wood-deep)" stroke-width="2" />
`;

/** The treasure, closed. */
export const chest: SVGTemplateResult = svg`
  ${body}
  <path d="M-28 -4 v-8 q0 -15 16 -15 h24 q16 0 16 15 v8 z" fill="var(--tandem-wood)" stroke="var(--tandem-wood-deep)" stroke-width="3" stroke-linejoin="round" />
  <path d="M-17 -4 v-22 M17 -4 v-22" stroke="var(--tandem-gold)" stroke-width="6" />
  ${lock}
`;

/** The treasure, found. */
export const chestOpen: SVGTemplateResult = svg`
  <path d="M-26 -20 q2 -20 18 -20 h20 q16 0 16 15 l0 8 z" fill="var(--tandem-wood-deep)" stroke="var(--tandem-wood-deep)" stroke-width="3" stroke-linejoin="round" />
  <path d="M-26 -4 q4 -14 26 -14 q22 0 26 14 z" fill="var(--tandem-gold)" stroke="#8a5d10" stroke-width="2" />
  <circle cx="-9" cy="-11" r="4" fill="#f6d98a" /><circle cx="7" cy="-12" r="5" fill="#f6d98a" />
  ${body} ${lock}
  <g stroke="var(--tandem-gold)" stroke-width="4" stroke-linecap="round"><path d="M-30 -32 l-8 -8 M0 -46 v-9 M32 -32 l8 -8" /></g>
`;

/** Where the token starts: the gnome's front door. */
export const door: SVGTemplateResult = svg`
  <path d="M-27 34 V2 a27 27 0 0 1 54 0 V34 z" fill="var(--tandem-line-strong)" opacity="0.55" />
  <path d="M-27 34 V2 a27 27 0 0 1 54 0 V34" fill="none" stroke="var(--tandem-line-strong)" stroke-width="7" stroke-dasharray="11 3" />
  <path d="M-20 34 V3 a20 20 0 0 1 40 0 V34 z" fill="var(--tandem-wood)" stroke="var(--tandem-wood-deep)" stroke-width="2.5" />
  <path d="M-7 34 V-15 M7 34 V-15" stroke="var(--tandem-wood-deep)" stroke-width="1.5" />
  <circle cx="13" cy="12" r="3" fill="var(--tandem-gold)" />
`;

/** Where an attempt met a wall: pieces that fly off. */
export const impact: SVGTemplateResult = svg`
  <path d="M0 -30 L7 -11 L25 -20 L15 -2 L32 6 L13 9 L17 28 L0 16 L-17 28 L-13 9 L-32 6 L-15 -2 L-25 -20 L-7 -11 Z"
    fill="var(--tandem-gold)" stroke="var(--tandem-wood-deep)" stroke-width="3" stroke-linejoin="round" />
`;

/** Something small that grows here or lies about; which, goes by the cell, and most have nothing. */
export function scatter(x: number, y: number): SVGTemplateResult | null {
  switch ((x * 73 + y * 151 + x * y * 31) % 11) {
    case 1:
      return svg`<g stroke="var(--tandem-hedge-light)" stroke-width="3" stroke-linecap="round" opacity="0.7"><path d="M-26 28 l-4 -10 M-22 28 v-12 M-18 28 l4 -9" /></g>`;
    case 4:
      return svg`<g fill="var(--tandem-floor-line)"><ellipse cx="24" cy="26" rx="6" ry="4" /><ellipse cx="14" cy="30" rx="4" ry="3" /></g>`;
    case 7:
      return svg`<g opacity="0.85"><circle cx="26" cy="-24" r="4" fill="#fbf7ee" /><circle cx="31" cy="-19" r="4" fill="#fbf7ee" /><circle cx="25" cy="-17" r="4" fill="#fbf7ee" /><circle cx="27.5" cy="-20" r="2.6" fill="var(--tandem-gold)" /></g>`;
    case 9:
      return svg`<g stroke="var(--tandem-hedge-light)" stroke-width="3" stroke-linecap="round" opacity="0.7"><path d="M20 30 l-3 -8 M24 30 v-11 M28 30 l4 -8" /></g>`;
    default:
      return null;
  }
}

/** The light of the gnome's lantern; in the light theme it is day and the colour is see-through. */
export const lanternLight: SVGTemplateResult = svg`
  <radialGradient id="lantern"><stop offset="0" class="near" /><stop offset="1" class="far" /></radialGradient>
  <circle class="lantern" cx="14" cy="8" r="165" fill="url(#lantern)" />
`;

/** Stars that the floor gives back at night, other ones in every cell; in the light theme they are see-through. */
export function stars(x: number, y: number): SVGTemplateResult {
  const lot = (salt: number) => ((x * 57 + y * 131 + salt * 29 + x * y * salt) * 71) % 64 - 32;
  const big = (x * 13 + y * 29) % 5 === 2;
  return svg`<g class="stars"><circle r="1.6" cx=${lot(1)} cy=${lot(2)} /><circle r="1.1" cx=${lot(3)} cy=${lot(5)} />
    ${big ? svg`<path transform="translate(${lot(7)} ${lot(11)})" d="M0 -6 Q0.8 -0.8 6 0 Q0.8 0.8 0 6 Q-0.8 0.8 -6 0 Q-0.8 -0.8 0 -6 Z" />` : null}</g>`;
}
