import { expect, test } from "vitest";
import { INTENTS, kindCounts, likeliest } from "./guide-map";

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
