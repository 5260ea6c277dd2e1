/** The trained Guide as a partner on the page, on the CPU. What a GPU adds is in gpu.spec.ts. */

import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { guideThoughts, isOver, lines, openGame } from "../lib/guide";
import { replayed, trace } from "../lib/play";
import { expect, test } from "../lib/site";

const MORE = /\/(guide\.js|gpu-worker\.js|gpu\/|weights\/)/;

function fetched(page: Page): string[] {
  const urls: string[] = [];
  page.on("request", (request) => { if (MORE.test(request.url())) urls.push(new URL(request.url()).pathname.split("/pkg/").at(-1)!); });
  return urls;
}

function network(game: Locator): Locator {
  return game.locator("tandem-cogrip-network");
}

test("pages whose agents ask no network fetch nothing of it", async ({ page, siteUrl }) => {
  const urls = fetched(page);
  for (const address of ["gnomes.html?seed=7", "cogrip.html?role=watch&seed=7&pace=0"]) {
    await page.goto(siteUrl + address);
    const game = page.locator("tandem-game");
    await expect.poll(() => game.evaluate((element) => (element as unknown as { view: unknown }).view !== null)).toBe(true);
  }
  expect(urls).toEqual([]);
});

test("two agents play with it on the CPU; what it thinks is in the trace, which replays", async ({ page, host }) => {
  const urls = fetched(page);
  const game = await openGame(page, host, `role="watch" backend="cpu" rounds="2"`);
  await isOver(game);
  const thoughts = await guideThoughts(game);
  expect(thoughts.length).toBeGreaterThan(2);
  for (const thought of thoughts) {
    expect(thought).toMatchObject({ weights: "eager-0.95", backend: "cpu", chosen: { asked: "cpu", cpu_millis: expect.any(Number), gpu_millis: null, reason: null } });
    expect(thought["instead"]).toBeUndefined();
    const shares = (thought["distribution"] as [string, number][]).map(([, share]) => share);
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 2);
  }
  expect(urls.toSorted()).toEqual(["guide.js", "weights/eager-0.95.safetensors", "weights/encoder.safetensors"]);
  expect(await replayed(page, await trace(game))).toMatchObject({ complete: true, matches: true });
});

test("the Follower it was trained with is the one at the table, or the one the page names", async ({ page, host }) => {
  for (const [attributes, weights] of [
    [`role="watch" follower="cautious" phi="0.75" backend="cpu"`, "cautious-0.75"],
    [`role="watch" follower="cautious" trained-with="eager-0.99" backend="cpu"`, "eager-0.99"],
  ] as const) {
    const game = await openGame(page, host, attributes);
    await isOver(game);
    expect(new Set((await guideThoughts(game)).map((thought) => thought["weights"]))).toEqual(new Set([weights]));
  }
});

test("without its weights the hand-written Guide speaks, and both page and trace say so", async ({ page, host }) => {
  host.faults.missing = ["/pkg/weights/encoder.safetensors"];
  const game = await openGame(page, host, `role="watch" backend="cpu"`);
  await expect(game.locator("[part=warning]")).toContainText(/could not be had \(.*encoder\.safetensors: 404/);
  await isOver(game);
  for (const thought of await guideThoughts(game)) {
    expect(thought).toMatchObject({ instead: "heuristic", fault: { broken: expect.stringContaining("404") } });
  }
});

test("weights that are none leave the hand-written Guide", async ({ page, host }) => {
  await page.route("**/weights/eager-0.95.safetensors", (route) => route.fulfill({ body: "no weights at all" }));
  const game = await openGame(page, host, `role="watch" backend="cpu"`);
  await expect(game.locator("[part=warning]")).toContainText("could not be had");
  await isOver(game);
  expect((await guideThoughts(game)).every((thought) => thought["instead"] === "heuristic")).toBe(true);
});

test("a person follows it; only after the game is the board shown with what it would say on every tile", async ({ page, host }) => {
  const game = await openGame(page, host, `role="follower" backend="cpu" insight="open" board="first"`);
  await expect(network(game)).toContainText("Now onCPU");
  await expect(network(game)).toContainText("here when the game is over");
  await expect(network(game).locator("tandem-cogrip-board")).toHaveCount(0);
  await expect.poll(() => game.evaluate((element) => {
    const { view } = element as unknown as { view: { turn: number; seat: number } };
    return view.turn === view.seat;
  })).toBe(true);
  await game.evaluate((element) => (element as unknown as { act(action: object): Promise<void> }).act({ do: "take" }).catch(() => undefined));
  // Where nothing lies, taking is nothing: time runs out, or a piece was taken.
  while (!(await game.evaluate((element) => (element as unknown as { view: { outcome: unknown } }).view.outcome !== null))) {
    await game.evaluate((element) => (element as unknown as { act(action: object): Promise<void> }).act({ do: "wait" }).catch(() => undefined));
  }
  await expect(game.locator("tandem-cogrip-end")).toBeVisible();
  await network(game).getByRole("button", { name: "Ask it for every tile" }).click();
  await expect(network(game).locator(".said rect")).toHaveCount(441);
  const counts = await network(game).locator("li .soft").allTextContents();
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(441);
  const [file] = await Promise.all([page.waitForEvent("download"), network(game).getByRole("button", { name: "Table as CSV" }).click()]);
  expect(readFileSync(await file.path(), "utf8").trimEnd().split("\n")).toHaveLength(442);
});

test("another backend can be chosen in the middle of a game, which goes on", async ({ page, host }) => {
  const game = await openGame(page, host, `role="watch" backend="cpu" insight="open" rounds="3" pace="300"`);
  await expect.poll(async () => (await guideThoughts(game)).length).toBeGreaterThan(1);
  await network(game).getByLabel("the faster of both").check();
  await expect(network(game)).toContainText("Not on the GPU:");
  await game.evaluate((element) => (element as unknown as { setSpeed(speed: number): Promise<void> }).setSpeed(30));
  await isOver(game);
  const thoughts = await guideThoughts(game);
  expect(thoughts[0]).toMatchObject({ chosen: { asked: "cpu" } });
  expect(thoughts.at(-1)).toMatchObject({ backend: "cpu", chosen: { asked: "auto", reason: expect.stringMatching(/GPU/) } });
  expect(thoughts.every((thought) => thought["instead"] === undefined)).toBe(true);
});

test("a game with it is taken up again where it was", async ({ page, host }) => {
  const attributes = `role="watch" backend="cpu" rounds="2" pace="100"`;
  const game = await openGame(page, host, `${attributes} journal="guide"`);
  await expect.poll(async () => (await guideThoughts(game)).length).toBeGreaterThan(3);
  const before = await lines(game);
  await page.reload();
  await game.getByRole("button", { name: "Go on" }).click();
  await isOver(game);
  const after = await lines(game);
  expect(after.slice(0, before.length)).toEqual(before);
  expect((await guideThoughts(game)).every((thought) => thought["instead"] === undefined)).toBe(true);
  expect(await replayed(page, await trace(game))).toMatchObject({ complete: true, matches: true });
});

test("once used it is there without a connection", async ({ page, context, siteUrl }) => {
  const address = `${siteUrl}cogrip.html?role=watch&guide=ppo&backend=cpu&seed=3&pace=0`;
  await page.goto(address);
  const game = page.locator("tandem-game");
  await isOver(game);
  // The service worker is in charge from the second visit on.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await isOver(game);
  await context.setOffline(true);
  await page.reload();
  await isOver(game);
  expect((await guideThoughts(game)).every((thought) => thought["backend"] === "cpu")).toBe(true);
});

test("another backend chosen while the map is computed, and twenty times in a row, ends nothing", async ({ page, host }) => {
  const game = await openGame(page, host, `role="watch" backend="cpu" insight="open" rounds="3" pace="50"`);
  await network(game).getByRole("button", { name: "Ask it for every tile" }).click();
  await network(game).getByLabel("the faster of both").check();
  await game.evaluate(async (element) => {
    for (let turn = 0; turn < 20; turn += 1) {
      element.setAttribute("backend", turn % 2 === 0 ? "cpu" : "auto");
      await new Promise((next) => setTimeout(next, 5));
    }
  });
  await isOver(game);
  expect((await guideThoughts(game)).every((thought) => thought["instead"] === undefined)).toBe(true);
});

test("the map is of the round's own board: its takes lie on the target", async ({ page, host }) => {
  const game = await openGame(page, host, `role="watch" backend="cpu" insight="open" rounds="2" pace="400"`);
  await network(game).getByRole("button", { name: "Ask it for every tile" }).click();
  await expect(network(game).locator(".said rect")).toHaveCount(441);
  const shown = () => network(game).locator(".said").evaluate((said) => [...said.children].map((tile) => tile.getAttribute("class")).join());
  const asked = async () => {
    const entry = (await lines(game)).map((line) => JSON.parse(line) as { derived?: string; body: { tiles: [number, number][] } }).findLast(({ derived }) => derived === "ask")!;
    return entry.body.tiles.filter(([, kind]) => kind % 2 === 1).map(([tile]) => tile);
  };
  const first = await shown();
  await expect.poll(() => game.evaluate((element) => (element as unknown as { view: { round: number; step: number } }).view.round), { timeout: 60_000 }).toBe(2);
  await expect.poll(shown).not.toBe(first);
  // On the target it says "take" or yes. The Guide asks about the new board a moment after that is there.
  await expect.poll(async () => {
    const kinds = (await shown()).split(",");
    return (await asked()).map((tile) => kinds[tile]).every((kind) => kind === "directive" || kind === "confirm");
  }).toBe(true);
});

test("on a board of another size the hand-written Guide speaks, and says why", async ({ page, host }) => {
  const game = await openGame(page, host, `role="watch" backend="cpu" board="small" insight="open"`);
  await expect(network(game)).toContainText("21 by 21 tiles only");
  await isOver(game);
  for (const thought of await guideThoughts(game)) expect(thought).toMatchObject({ instead: "heuristic", fault: { broken: expect.stringContaining("21 tiles") } });
});

test("a step of a paused game is a step, also where the Guide has to be asked", async ({ page, host }) => {
  const game = await openGame(page, host, `role="watch" backend="cpu" pace="5000"`);
  const step = () => game.evaluate(async (element) => {
    const { pause, step } = element as unknown as { pause(): Promise<void>; step(): Promise<void> };
    await pause.call(element);
    await step.call(element);
  });
  const at = () => game.evaluate((element) => {
    const { view } = element as unknown as { view: { step: number; turn: number | null } };
    return `${view.step}/${view.turn}`;
  });
  for (const now of ["0/1", "1/0", "1/1", "2/0"]) {
    await step();
    await expect.poll(at).toBe(now);
  }
  expect((await guideThoughts(game)).map((thought) => thought["instead"])).toEqual([undefined, undefined]);
});

test("whoever plays the Follower is not shown what the Guide asks", async ({ page, host }) => {
  const game = await openGame(page, host, `role="follower" backend="cpu" insight="open"`);
  await expect.poll(async () => (await guideThoughts(game)).length).toBe(1);
  await expect(game.locator(".trace pre")).toContainText(`"derived":"ask"`);
  await expect(game.locator(".trace pre")).not.toContainText(`"tiles"`);
  expect((await lines(game)).join()).toContain(`"tiles"`);
});
