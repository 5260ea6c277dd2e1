/** Places on a board: neighbours, edges, and how they are drawn. No rules: which step is possible, the view says. */

import type { Action, Cell, Walls } from "./types";

/** Half the viewBox's cell is 50; the margin leaves room for the hedge around the board. */
export const CELL = 100;
export const MARGIN = 22;

export const STEPS: Record<Action, Cell> = { stay: [0, 0], right: [1, 0], up: [0, -1], left: [-1, 0], down: [0, 1] };
export const ACTIONS = Object.keys(STEPS) as Action[];

/** The cell that a step leads to. */
export function towards([x, y]: Cell, action: Action): Cell {
  const [dx, dy] = STEPS[action];
  return [x + dx, y + dy];
}

export function inside([x, y]: Cell, width: number, height: number): boolean {
  return x >= 0 && y >= 0 && x < width && y < height;
}

export function same(a: Cell | null, b: Cell | null): boolean {
  return a !== null && b !== null && a[0] === b[0] && a[1] === b[1];
}

/** The middle of a cell in the drawing. */
export function middle([x, y]: Cell): Cell {
  return [x * CELL + CELL / 2, y * CELL + CELL / 2];
}

/** The middle of the edge between a cell and the one that a step leads to. */
export function edgeMiddle(cell: Cell, action: Action): Cell {
  const [x, y] = middle(cell);
  const [dx, dy] = STEPS[action];
  return [x + (dx * CELL) / 2, y + (dy * CELL) / 2];
}

/** One name for an edge, from whichever side it is looked at; null for a stay. */
export function edgeKey(cell: Cell, action: Action): string | null {
  if (action === "stay") return null;
  const [x, y] = action === "left" || action === "up" ? towards(cell, action) : cell;
  return `${x},${y},${action === "left" || action === "right" ? "right" : "below"}`;
}

/** The names of all edges that are walls. */
export function wallKeys(walls: Walls): Set<string> {
  const right = walls.right.map(([x, y]) => `${x},${y},right`);
  return new Set([...right, ...walls.below.map(([x, y]) => `${x},${y},below`)]);
}

/** An edge back from its name. */
export function edgeOf(key: string): { cell: Cell; action: Action } {
  const [x, y, side] = key.split(",");
  return { cell: [Number(x), Number(y)], action: side === "right" ? "right" : "down" };
}

/** Inner walls as one path; a dotted pen with round caps makes a hedge of it. */
export function wallPath(walls: Walls): string {
  const right = walls.right.map(([x, y]) => `M${(x + 1) * CELL} ${y * CELL}v${CELL}`);
  return [...right, ...walls.below.map(([x, y]) => `M${x * CELL} ${(y + 1) * CELL}h${CELL}`)].join("");
}

/** The closed border, cell by cell so that its dots fall as those of the inner walls. */
export function borderPath(width: number, height: number): string {
  const parts: string[] = [];
  for (let x = 0; x < width; x++) parts.push(`M${x * CELL} 0h${CELL}M${x * CELL} ${height * CELL}h${CELL}`);
  for (let y = 0; y < height; y++) parts.push(`M0 ${y * CELL}v${CELL}M${width * CELL} ${y * CELL}v${CELL}`);
  return parts.join("");
}

export interface BeliefMark {
  cell: Cell;
  action: Action;
  kind: "right" | "wrong" | "unknown";
}

/** What a partner believed closed, beside the walls as they are. The border is nobody's news. */
export function compareBelief(hidden: [number, number, Action][], truth: Walls, width: number, height: number): BeliefMark[] {
  const walls = wallKeys(truth);
  const within = hidden.filter(([x, y, action]) => inside(towards([x, y], action), width, height));
  const believed = new Set(within.flatMap(([x, y, action]) => edgeKey([x, y], action) ?? []));
  const marks: BeliefMark[] = [...believed].map((key) => ({ ...edgeOf(key), kind: walls.has(key) ? "right" : "wrong" }));
  return marks.concat([...walls].filter((key) => !believed.has(key)).map((key) => ({ ...edgeOf(key), kind: "unknown" })));
}

/** The direction of a swipe; null if it was none. */
export function swipe(dx: number, dy: number, shortest: number): Action | null {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < shortest) return null;
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? "right" : "left";
  return dy > 0 ? "down" : "up";
}
