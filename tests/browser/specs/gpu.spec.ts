/** The neural Guide on a GPU that is software, against the CPU; and whatever may go wrong with a GPU. */

import { chromium, type Page } from "@playwright/test";
import type { Report } from "../../../www/src/guide";
import { KEEP_DEVICE, missing, openPage, patchWorker, SOFTWARE, test, whenTold, type Golden } from "../lib/gpu";
import { expect } from "../lib/site";

test.skip(missing.length > 0, `${missing.join(" and ")} missing; \`cargo xtask test gpu\` makes them`);
// Shaders are compiled and run by the processor here.
test.setTimeout(300_000);

/** How far logits and values may be apart. */
const NEAR = 1e-3;

interface Played {
  report: Report;
  /** Reports of giving the GPU up. */
  fallbacks: Report[];
  largest: number;
  /** Steps whose likeliest intent is another. */
  others: number;
  steps: number;
  /** Who answered each step of the last episode. */
  answered: string[];
}
interface Way {
  choice: "auto" | "gpu";
  episodes: number;
  /** Before this step of the last episode the worker is told something. */
  tellBefore?: number;
  openMillis?: number;
  stepMillis?: number;
}

/** Plays golden episodes with the site's own driver; the CPU is one that knows the golden answers of the very path. */
function play(page: Page, way: Way): Promise<Played> {
  return page.evaluate(async ({ choice, episodes, tellBefore, openMillis = 120_000, stepMillis = 60_000 }) => {
    const at = (path: string) => new URL(path, location.href).href;
    const { Guide, openGpu } = (await import(at("pkg/guide.js"))) as typeof import("../../../www/src/guide");
    const bytes = async (name: string) => new Uint8Array(await (await fetch(at(`golden/${name}`))).arrayBuffer());
    const golden = (await (await fetch(at("golden/golden.json"))).json()) as Golden;
    const answered: string[] = [];
    const decision = (step: { logits: number[]; value: number }) => ({ logits: Float32Array.from(step.logits), value: step.value });
    let episode: Golden["episodes"][number] | undefined;
    let done = 0;
    const cpu = {
      async begin(tiles: Uint8Array) {
        episode = golden.episodes.find((one) => one.tiles.every((tile, index) => tile === tiles[index]));
        done = 0;
      },
      async step(x: number, y: number) {
        // The race of `auto` is on an empty board.
        if (!episode) return decision({ logits: Array<number>(14).fill(0), value: 0 });
        const step = episode.steps[done++]!;
        if (step.x !== x || step.y !== y) throw new Error(`the CPU was shown ${x}, ${y} and not ${step.x}, ${step.y}`);
        return decision(step);
      },
      async map(): Promise<never> {
        throw new Error("no map of this");
      },
      close() {},
    };
    const fallbacks: Report[] = [];
    const files = { encoder: await bytes("encoder.safetensors"), head: await bytes("head.safetensors") };
    const guide = await Guide.open({
      choice,
      cpu: async () => cpu,
      gpu: () => openGpu({ base: at("pkg/"), ...files, openMillis, stepMillis }),
      onReport: (report) => fallbacks.push(report),
    });
    await guide.settled;
    fallbacks.length = 0;
    const likeliest = (logits: ArrayLike<number>) => Array.from(logits).reduce((best, logit, index, all) => (logit > all[best]! ? index : best), 0);
    let [largest, others, steps] = [0, 0, 0];
    for (const { tiles, steps: path } of golden.episodes.slice(0, episodes)) {
      await guide.begin(Uint8Array.from(tiles));
      for (const [number, wanted] of path.entries()) {
        if (steps === (episodes - 1) * path.length + (tellBefore ?? NaN)) {
          const told = new BroadcastChannel("tell");
          await new Promise((heard) => {
            told.onmessage = heard;
            told.postMessage(number);
          });
          told.close();
        }
        const found = await guide.step(wanted.x, wanted.y);
        if (steps >= (episodes - 1) * path.length) answered.push(guide.report.backend);
        const apart = wanted.logits.map((logit, intent) => Math.abs(logit - found.logits[intent]!));
        largest = Math.max(largest, Math.abs(found.value - wanted.value), ...apart);
        if (likeliest(found.logits) !== likeliest(wanted.logits)) others += 1;
        steps += 1;
      }
    }
    const { report } = guide;
    guide.close();
    return { report, fallbacks, largest, others, steps, answered };
  }, way);
}

test("five hundred positions agree with the CPU's", async ({ page, siteUrl }) => {
  await openPage(page, siteUrl);
  const played = await play(page, { choice: "gpu", episodes: 50 });
  test.info().annotations.push({ type: "measured", description: JSON.stringify(played) });
  console.log(`largest difference ${played.largest}, ${played.report.gpuMillis} ms a step on ${SOFTWARE.at(-1)}`);
  expect(played.report).toMatchObject({ asked: "gpu", backend: "gpu", reason: null });
  expect(played.steps).toBe(500);
  expect(played.largest).toBeLessThan(NEAR);
  expect(played.others).toBe(0);
});

test("a map is what the CPU says of every tile", async ({ page, siteUrl }) => {
  await openPage(page, siteUrl);
  const { largest, tiles, millis } = await page.evaluate(async () => {
    const at = (path: string) => new URL(path, location.href).href;
    const { openGpu } = (await import(at("pkg/guide.js"))) as typeof import("../../../www/src/guide");
    const bytes = async (name: string) => new Uint8Array(await (await fetch(at(`golden/${name}`))).arrayBuffer());
    const golden = (await (await fetch(at("golden/golden.json"))).json()) as Golden;
    const guide = await openGpu({
      base: at("pkg/"), encoder: await bytes("encoder.safetensors"), head: await bytes("head.safetensors"),
      openMillis: 120_000, stepMillis: 60_000, mapMillis: 120_000,
    });
    await guide.begin(Uint8Array.from(golden.episodes[0]!.tiles));
    await guide.map();
    const start = performance.now();
    const map = await guide.map();
    const millis = performance.now() - start;
    guide.close();
    const apart = golden.map.flatMap(({ logits, value }, tile) => [
      Math.abs(value - map.values[tile]!),
      ...logits.map((logit, intent) => Math.abs(logit - map.logits[14 * tile + intent]!)),
    ]);
    return { largest: Math.max(...apart), tiles: map.values.length, millis };
  });
  console.log(`largest difference ${largest}, ${Math.round(millis)} ms a map on ${SOFTWARE.at(-1)}`);
  expect(tiles).toBe(441);
  expect(largest).toBeLessThan(NEAR);
});

test("a device that is destroyed in the middle of an episode: it goes on with nothing lost", async ({ page, siteUrl }) => {
  await openPage(page, siteUrl);
  await patchWorker(page, KEEP_DEVICE + whenTold("self.kept.destroy(); await self.kept.lost"));
  const played = await play(page, { choice: "gpu", episodes: 1, tellBefore: 4 });
  expect(played.answered.slice(0, 4)).toEqual(["gpu", "gpu", "gpu", "gpu"]);
  expect(played.answered.slice(4)).toEqual(Array(6).fill("cpu"));
  expect(played.fallbacks).toHaveLength(1);
  expect(played.largest).toBeLessThan(NEAR);
  expect(played.others).toBe(0);
});

test("a worker that falls into an endless loop is ended, and the CPU goes on", async ({ page, siteUrl }) => {
  await openPage(page, siteUrl);
  await patchWorker(page, whenTold("setTimeout(() => { for (;;); })"));
  const played = await play(page, { choice: "gpu", episodes: 1, tellBefore: 4, stepMillis: 5000 });
  expect(played.answered.at(-1)).toBe("cpu");
  expect(played.report.reason).toMatch(/longer than 5000 ms/);
  expect(played.others).toBe(0);
});

for (const [what, words, reason] of [
  ["is refused", `GPUAdapter.prototype.requestDevice = () => Promise.reject(new TypeError("not today"));`, /no GPU: .*not today/is],
  ["never comes", "GPUAdapter.prototype.requestDevice = () => new Promise(() => {});", /longer than 2000 ms/],
] as const) {
  test(`a device that ${what} leaves the CPU`, async ({ page, siteUrl }) => {
    await openPage(page, siteUrl);
    await patchWorker(page, words);
    // Where it never comes, no time but that of opening can run out.
    const played = await play(page, { choice: "gpu", episodes: 1, openMillis: what === "never comes" ? 2000 : 60_000 });
    expect(played.report).toMatchObject({ backend: "cpu", reason: expect.stringMatching(reason) });
    expect(played.steps).toBe(10);
  });
}

for (const [what, gpu, reason] of [
  ["null", "async () => null", /no GPU to be had/],
  ["an error", `() => { throw new Error("driver"); }`, /driver/],
  ["never there", "() => new Promise(() => {})", /longer than 2000 ms/],
] as const) {
  test(`an adapter that is ${what} leaves the CPU, and nothing is fetched`, async ({ page, siteUrl }) => {
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(request.url()));
    await page.addInitScript(`GPU.prototype.requestAdapter = ${gpu};`);
    await openPage(page, siteUrl);
    const played = await play(page, { choice: "auto", episodes: 1 });
    expect(played.report).toMatchObject({ asked: "auto", backend: "cpu", reason: expect.stringMatching(reason) });
    expect(played.steps).toBe(10);
    expect(fetched.filter((url) => /gpu/.test(url))).toEqual([]);
  });
}

test("a browser whose GPU is off plays on the CPU", async ({ siteUrl, launchOptions }) => {
  const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []).filter((arg) => !SOFTWARE.includes(arg)), "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    await openPage(page, siteUrl);
    const played = await play(page, { choice: "auto", episodes: 1 });
    expect(played.report).toMatchObject({ backend: "cpu", reason: expect.stringMatching(/no GPU|no WebGPU/) });
  } finally {
    await browser.close();
  }
});
