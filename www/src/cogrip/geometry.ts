/** Places and outlines, for drawing. No rules: what may be done and where a piece lies, the view says. */

import type { Color, CutTile, Piece, Tile, View } from "./types";
import { followerSees, guideSees } from "./sees";

/** A tile's side in the drawing. */
export const TILE = 40;

/** A part of the board that is drawn as one piece. */
export interface Shown {
  shape: string;
  color: Color;
  tiles: Tile[];
  /** In words, if it is known. */
  position?: string;
  target?: boolean;
}

/** The middle of a tile. */
export function middle([x, y]: Tile): [number, number] {
  return [x * TILE + TILE / 2, y * TILE + TILE / 2];
}

export function sameTile(a: Tile, b: Tile): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** Where thirds of a board begin: 0, 7 and 14 of 21. */
export function thirds(size: number): [number, number, number] {
  return [0, Math.floor(size / 3), Math.floor((2 * size) / 3)];
}

/**
 * The outline of tiles as one closed path for each of its edges, drawn in by `inset`, corners rounded by `radius`.
 *
 * Every side of a tile that borders on no tile of the piece is walked with the piece to the right; where two pieces of
 * the walk meet at a corner, the corner moves in along both, and an arc replaces it.
 */
export function outline(tiles: Tile[], inset: number, radius: number): string {
  const has = new Set(tiles.map(String));
  const next = new Map<string, Tile[]>();
  const side = (from: Tile, to: Tile) => next.set(String(from), [...(next.get(String(from)) ?? []), to]);
  for (const [x, y] of tiles) {
    if (!has.has(`${x},${y - 1}`)) side([x, y], [x + 1, y]);
    if (!has.has(`${x + 1},${y}`)) side([x + 1, y], [x + 1, y + 1]);
    if (!has.has(`${x},${y + 1}`)) side([x + 1, y + 1], [x, y + 1]);
    if (!has.has(`${x - 1},${y}`)) side([x, y + 1], [x, y]);
  }
  let path = "";
  for (const start of [...next.keys()]) {
    if (next.get(start)?.length) path += rounded(corners(walk(start, next)), inset, radius);
  }
  return path;
}

/** One way round; where two tiles touch only at a corner the walk turns right, so that it stays on its tile. */
function walk(start: string, next: Map<string, Tile[]>): Tile[] {
  const way: Tile[] = [];
  let at = start;
  let came: Tile | null = null;
  do {
    const here = at.split(",").map(Number) as Tile;
    const ways: Tile[] = next.get(at) ?? [];
    const right: number = ways.findIndex((to) => came !== null && cross(minus(here, came), minus(to, here)) > 0);
    const [to] = ways.splice(Math.max(right, 0), 1);
    if (!to) break;
    way.push(here);
    came = here;
    at = String(to);
  } while (at !== start);
  return way;
}

/** Only the points at which a closed walk turns. */
function corners(way: Tile[]): Tile[] {
  return way.filter((at, index) => {
    const before = way.at(index - 1)!;
    const after = way[(index + 1) % way.length]!;
    return cross(minus(at, before), minus(after, at)) !== 0;
  });
}

function rounded(points: Tile[], inset: number, radius: number): string {
  const parts = points.map((at, index) => {
    const into = unit(minus(at, points.at(index - 1)!));
    const out = unit(minus(points[(index + 1) % points.length]!, at));
    // Inwards is to the right of each side, and y grows downwards.
    const corner: Tile = [
      at[0] * TILE + inset * (-into[1] - out[1]),
      at[1] * TILE + inset * (into[0] + out[0]),
    ];
    const from = [corner[0] - into[0] * radius, corner[1] - into[1] * radius].map(brief);
    const to = [corner[0] + out[0] * radius, corner[1] + out[1] * radius].map(brief);
    return `${index === 0 ? "M" : "L"}${from.join(" ")}Q${corner.map(brief).join(" ")} ${to.join(" ")}`;
  });
  return `${parts.join("")}Z`;
}

function minus(a: Tile, b: Tile): Tile {
  return [a[0] - b[0], a[1] - b[1]];
}
function cross(a: Tile, b: Tile): number {
  return a[0] * b[1] - a[1] * b[0];
}
function unit([x, y]: Tile): Tile {
  return [Math.sign(x), Math.sign(y)];
}
function brief(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The tile to write on: the one with most neighbours, of these the one nearest to the middle. */
export function labelTile(tiles: Tile[]): Tile {
  const mean = (axis: 0 | 1) => tiles.reduce((sum, tile) => sum + tile[axis], 0) / tiles.length;
  const [mx, my] = [mean(0), mean(1)];
  const away = ([x, y]: Tile) => Math.abs(x - mx) + Math.abs(y - my);
  const next = ([x, y]: Tile) => tiles.filter((tile) => Math.abs(tile[0] - x) + Math.abs(tile[1] - y) === 1).length;
  return tiles.toSorted((a, b) => next(b) - next(a) || away(a) - away(b))[0] ?? [0, 0];
}

/** Tiles side by side that have the same name make one region; those without a name are in none. */
export function regions(names: (string | null)[][]): Tile[][] {
  const seen = new Set<string>();
  const found: Tile[][] = [];
  names.forEach((row, y) =>
    row.forEach((name, x) => {
      if (name === null || seen.has(`${x},${y}`)) return;
      const tiles: Tile[] = [];
      const open: Tile[] = [[x, y]];
      for (let at = open.pop(); at; at = open.pop()) {
        const [cx, cy] = at;
        if (names[cy]?.[cx] !== name || seen.has(String(at))) continue;
        seen.add(String(at));
        tiles.push(at);
        open.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]);
      }
      found.push(tiles);
    }),
  );
  return found;
}

/** What a cut shows of pieces: neighbouring tiles of one colour and shape are one. */
export function piecesInCut(cut: CutTile[][]): Shown[] {
  return regions(cut.map((row) => row.map((tile) => (tile?.color && tile.shape ? `${tile.color} ${tile.shape}` : null)))).map((tiles) => {
    const [[x, y]] = tiles as [Tile];
    const { color, shape } = cut[y]![x] as { color: Color; shape: string };
    return { shape, color, tiles };
  });
}

/** The tiles of a cut that lie beyond the edge of the board. */
export function beyond(cut: CutTile[][]): Tile[] {
  return cut.flatMap((row, y) => row.flatMap((tile, x) => (tile === null ? [[x, y] as Tile] : [])));
}

/** The colour and shape under the gripper, if there is a piece. */
export function underGripper(view: View): { color: Color; shape: string } | null {
  const follower = followerSees(view);
  if (follower) {
    const half = follower.cut.length >> 1;
    const tile = follower.cut[half]?.[half];
    return tile?.color && tile.shape ? { color: tile.color, shape: tile.shape } : null;
  }
  return guideSees(view)?.pieces.find(({ tiles }) => tiles.some((tile) => sameTile(tile, view.gripper))) ?? null;
}

/** The pieces as they are drawn for the Guide. */
export function shownPieces(pieces: Piece[], target: number | null): Shown[] {
  return pieces.map((piece, index) => ({ ...piece, target: index === target }));
}

/** Where the gripper was in this round, from its start to now. */
export function trailOf(view: View): Tile[] {
  const steps = view.history.filter(({ round }) => round === view.round);
  return steps.length === 0 ? [] : [steps[0]!.from, ...steps.map(({ to }) => to)];
}
