import { expect, test } from "vitest";
import { INTENTS, kindCounts, likeliest, mapCsv } from "./guide-map";

const tile = (intent: (typeof INTENTS)[number], logit: number) => INTENTS.map((one) => (one === intent ? logit : 0));

test("each tile has its likeliest intent, and how likely that is", () => {
  const logits = Float32Array.from([...tile("silence", 50), ...tile("take", Math.log(13)), ...tile("scp", 2)]);
  const map = likeliest({ logits });
  expect(map.map(({ intent, kind }) => [intent, kind])).toEqual([["silence", "silence"], ["take", "directive"], ["scp", "reference"]]);
  expect(map[0]!.share).toBeCloseTo(1);
  expect(map[1]!.share).toBeCloseTo(0.5);
});

test("logits far from zero overflow nothing", () => {
  const [one] = likeliest({ logits: Float32Array.from(INTENTS.map((_, number) => 1000 + number)) });
  expect(one!.intent).toBe("scp");
  expect(one!.share).toBeGreaterThan(0.5);
  expect(one!.share).toBeLessThanOrEqual(1);
});

test("kinds are counted, the most first", () => {
  const map = likeliest({ logits: Float32Array.from([...tile("up", 3), ...tile("confirm", 3), ...tile("left", 3)]) });
  expect(kindCounts(map)).toEqual([["directive", 2], ["confirm", 1]]);
});

test("the table has a row for each tile, whose chances are one in all", () => {
  const logits = Float32Array.from({ length: 441 * 14 }, (_, at) => (at * 7) % 5);
  const [head, ...rows] = mapCsv({ logits, values: new Float32Array(441).fill(1.5) }).trimEnd().split("\n").map((line) => line.split(","));
  expect(head).toEqual(["x", "y", ...INTENTS, "value"]);
  expect(rows.map(([x, y]) => [Number(x), Number(y)])).toEqual(Array.from({ length: 441 }, (_, tile) => [tile % 21, Math.floor(tile / 21)]));
  for (const row of rows) {
    expect(row.slice(2, 16).reduce((sum, share) => sum + Number(share), 0)).toBeCloseTo(1, 4);
    expect(row.at(-1)).toBe("1.500000");
  }
});
