/** Small drawings, each in a cell of 60 by 60 units with its middle at (0, 0). */

import { svg } from "lit";

/** The token: a gnome with a lantern. */
export const gnome = svg`
  <g class="gnome">
    <ellipse cx="0" cy="21" rx="15" ry="4" fill="#0003" />
    <circle class="glow" cx="13" cy="9" r="13" fill="var(--tandem-gold)" opacity="0.28" />
    <path d="M-13 20 Q-14 2 0 1 Q14 2 13 20 Z" fill="var(--tandem-coat)" />
    <circle cx="0" cy="-3" r="9" fill="var(--tandem-skin)" />
    <path d="M-9 -2 Q-8 14 0 17 Q8 14 9 -2 Q4 3 0 2 Q-4 3 -9 -2 Z" fill="var(--tandem-beard)" />
    <path d="M-12 -5 Q-4 -9 1 -26 Q7 -9 12 -5 Q0 -1 -12 -5 Z" fill="var(--tandem-hat)" stroke="var(--tandem-hat)" stroke-width="1.5" stroke-linejoin="round" />
    <circle cx="0" cy="-1" r="2.4" fill="var(--tandem-skin)" stroke="#0002" stroke-width="0.6" />
    <circle cx="-3.4" cy="-4.6" r="1.1" fill="#2a2923" />
    <circle cx="3.4" cy="-4.6" r="1.1" fill="#2a2923" />
    <path d="M13 1 v3" stroke="var(--tandem-wood)" stroke-width="2" />
    <rect x="9.5" y="4" width="7" height="9" rx="2" fill="var(--tandem-gold)" stroke="var(--tandem-wood)" stroke-width="1.5" />
  </g>
`;

/** The treasure. */
export const chest = svg`
  <g class="chest">
    <circle cx="0" cy="0" r="24" fill="var(--tandem-gold)" opacity="0.22" />
    <ellipse cx="0" cy="16" rx="18" ry="4" fill="#0003" />
    <path d="M-16 -3 Q-16 -15 0 -15 Q16 -15 16 -3 Z" fill="var(--tandem-wood)" />
    <rect x="-16" y="-3" width="32" height="18" rx="2" fill="var(--tandem-wood)" />
    <path d="M-16 -3 H16 M-9 -13 V15 M9 -13 V15" stroke="var(--tandem-gold)" stroke-width="3" />
    <rect x="-4.5" y="-6" width="9" height="10" rx="2" fill="var(--tandem-gold)" stroke="var(--tandem-wood)" stroke-width="1.5" />
    <circle cx="0" cy="-1" r="1.6" fill="var(--tandem-wood)" />
  </g>
`;

/** The place where every round begins: a round stone. */
export const stone = svg`
  <g class="stone">
    <circle cx="0" cy="0" r="19" fill="none" stroke="var(--tandem-stone)" stroke-width="4" stroke-dasharray="11 4" stroke-linecap="round" />
    <circle cx="0" cy="0" r="11" fill="var(--tandem-stone)" opacity="0.35" />
  </g>
`;

/** An arrowhead for a step that is open, pointing right. */
export const chevron = svg`<path d="M-5 -8 L5 0 L-5 8" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" />`;
