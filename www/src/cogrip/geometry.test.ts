import { describe, expect, test } from "vitest";
import { beyond, labelTile, outline, piecesInCut, regions, thirds, TILE } from "./geometry";
import type { CutTile, Tile } from "./types";

/** The corners of a path without its roundings, in tiles. */
function turns(path: string): [number, number][][] {
  return path.split("Z").filter(Boolean).map((loop) => [...loop.matchAll(/Q(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x) / TILE, Number(y) / TILE]));
}

describe("outline", () => {
  test("one tile is a square of four corners", () => {
    expect(turns(outline([[2, 3]], 0, 5))).toEqual([[[2, 3], [3, 3], [3, 4], [2, 4]]]);
  });

  test("an inset moves every side inwards, in a hollow corner too", () => {
    const [corners] = turns(outline([[0, 0], [0, 1], [1, 1]], 4, 0));
    const d = 4 / TILE;
    expect(corners).toEqual([[d, d], [1 - d, d], [1 - d, 1 + d], [2 - d, 1 + d], [2 - d, 2 - d], [d, 2 - d]]);
  });

  test("straight sides have no corners: an X has twelve, a bar four", () => {
    expect(turns(outline([[1, 0], [0, 1], [1, 1], [2, 1], [1, 2]], 2, 4))[0]).toHaveLength(12);
    expect(turns(outline([[0, 0], [1, 0], [2, 0]], 2, 4))[0]).toHaveLength(4);
  });

  test("tiles that touch at a corner only, and those that are apart, have outlines of their own", () => {
    expect(turns(outline([[0, 0], [1, 1]], 0, 0)).map((loop) => loop.length)).toEqual([4, 4]);
    expect(turns(outline([[0, 0], [5, 5]], 0, 0))).toHaveLength(2);
  });

  test("a hole has an outline too", () => {
    const ring: Tile[] = [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1], [0, 2], [1, 2], [2, 2]];
    expect(turns(outline(ring, 0, 0)).map((loop) => loop.length)).toEqual([4, 4]);
  });
});

test("the letter stands where most of a piece is", () => {
  expect(labelTile([[1, 0], [0, 1], [1, 1], [2, 1], [1, 2]])).toEqual([1, 1]);
  expect(labelTile([[4, 4]])).toEqual([4, 4]);
});

test("thirds are the library's", () => {
  expect(thirds(21)).toEqual([0, 7, 14]);
  expect(thirds(13)).toEqual([0, 4, 8]);
});

test("a cut falls into pieces and what lies beyond the edge", () => {
  const red = { color: "red", shape: "T" } as const;
  const blue = { color: "blue", shape: "T" } as const;
  const cut: CutTile[][] = [
    [null, red, red],
    [null, {}, blue],
    [null, red, {}],
  ];
  expect(piecesInCut(cut).map(({ color, tiles }) => [color, tiles.length])).toEqual([["red", 2], ["blue", 1], ["red", 1]]);
  expect(beyond(cut)).toEqual([[0, 0], [0, 1], [0, 2]]);
});

test("what touches at a corner only is two regions, and what has no name is in none", () => {
  const names = [["a", "a", "b"], ["b", "a", null], ["b", "b", "a"]];
  const found = regions(names).map((tiles) => tiles.map(String).sort());
  expect(found).toEqual([["0,0", "1,0", "1,1"], ["2,0"], ["0,1", "0,2", "1,2"], ["2,2"]]);
});
