/** Whole games with the trained Guide on a GPU that is software, and games in which the GPU fails. */

import { guideThoughts, isOver, openGame } from "../lib/guide";
import { KEEP_DEVICE, missing, patchWorker, tellWorker, test, whenTold } from "../lib/gpu";
import { replayed, trace } from "../lib/play";
import { expect } from "../lib/site";

test.skip(missing.length > 0, `${missing.join(" and ")} missing; \`cargo xtask test gpu\` makes them`);
// Shaders are compiled and run by the processor here.
test.setTimeout(300_000);
const OPENING = 120_000;

test("an episode on the GPU", async ({ page, host }) => {
  const game = await openGame(page, host, `role="watch" backend="gpu" board="test-3"`, OPENING);
  await isOver(game, 120_000);
  const thoughts = await guideThoughts(game);
  expect(thoughts.length).toBeGreaterThan(1);
  for (const thought of thoughts) {
    expect(thought).toMatchObject({ backend: "gpu", chosen: { asked: "gpu", gpu_millis: expect.any(Number), cpu_millis: expect.any(Number), reason: null } });
  }
  const onGpu = await trace(game);
  expect(await replayed(page, onGpu)).toMatchObject({ complete: true, matches: true });
});

test("a device that is destroyed in the middle of an episode: it ends on the CPU, and the trace says so", async ({ page, host }) => {
  await patchWorker(page, KEEP_DEVICE + whenTold("self.kept.destroy(); await self.kept.lost"));
  const game = await openGame(page, host, `role="watch" backend="gpu" board="test-3" pace="2000"`, OPENING);
  await expect.poll(async () => (await guideThoughts(game)).length, { timeout: 60_000 }).toBeGreaterThan(0);
  await tellWorker(page);
  await isOver(game, 120_000);
  const thoughts = await guideThoughts(game);
  const backends = thoughts.map((thought) => thought["backend"]);
  const first = backends.indexOf("cpu");
  expect(first).toBeGreaterThan(0);
  expect(new Set(backends.slice(0, first))).toEqual(new Set(["gpu"]));
  expect(new Set(backends.slice(first))).toEqual(new Set(["cpu"]));
  expect(thoughts[first]).toMatchObject({ chosen: { asked: "gpu", reason: expect.stringMatching(/\w/) } });
  expect(thoughts.every((thought) => thought["instead"] === undefined)).toBe(true);
  expect(await replayed(page, await trace(game))).toMatchObject({ complete: true, matches: true });
});

for (const [what, gpu, reason] of [
  ["null", "async () => null", /no GPU to be had/],
  ["an error", `() => { throw new Error("driver"); }`, /driver/],
  ["never there", "() => new Promise(() => {})", /longer than 2000 ms/],
] as const) {
  test(`where the adapter is ${what}, who asked for the GPU plays on the CPU`, async ({ page, host }) => {
    await page.addInitScript(`GPU.prototype.requestAdapter = ${gpu};`);
    const game = await openGame(page, host, `role="watch" backend="gpu" board="test-3"`);
    await isOver(game);
    for (const thought of await guideThoughts(game)) {
      expect(thought).toMatchObject({ backend: "cpu", chosen: { asked: "gpu", reason: expect.stringMatching(reason) } });
    }
  });
}
