import { css } from "lit";

/** Pieces and swatches, wherever they are drawn. */
export const pieceStyles = css`
  .piece .shade {
    fill: var(--tandem-shadow);
    transform: translate(2.5px, 4px);
  }
  .piece .body {
    fill: var(--fill);
    stroke: var(--edge);
    stroke-width: 2.5;
    stroke-linejoin: round;
  }
  .piece .rim {
    fill: none;
    stroke: #fff;
    stroke-opacity: 0.28;
    stroke-width: 1.5;
  }
  .piece .badge {
    fill: var(--edge);
  }
  .piece .letter {
    font-family: var(--tandem-font);
    font-size: 21px;
    font-weight: 700;
    fill: var(--tandem-piece-letter);
  }
  .red {
    --fill: var(--tandem-piece-red);
    --edge: var(--tandem-piece-red-edge);
  }
  .green {
    --fill: var(--tandem-piece-green);
    --edge: var(--tandem-piece-green-edge);
  }
  .blue {
    --fill: var(--tandem-piece-blue);
    --edge: var(--tandem-piece-blue-edge);
  }
  .yellow {
    --fill: var(--tandem-piece-yellow);
    --edge: var(--tandem-piece-yellow-edge);
  }
  .brown {
    --fill: var(--tandem-piece-brown);
    --edge: var(--tandem-piece-brown-edge);
  }
  .purple {
    --fill: var(--tandem-piece-purple);
    --edge: var(--tandem-piece-purple-edge);
  }
  .grain {
    fill: #fff;
    stroke: #fff;
    opacity: 0.3;
  }
  path.grain[stroke-width] {
    fill: none;
  }
  #yellow .grain {
    stroke: #5d4700;
    opacity: 0.55;
  }
  .swatch {
    flex: none;
    width: 1.25rem;
    height: 1.25rem;
    vertical-align: -0.25em;
  }
`;
