/** The reference game: as Follower, as Guide and watched, each to a success and to a failure, by keyboard. */

import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { openGame } from "../lib/cogrip";
import { replayed, trace } from "../lib/play";
import { expect, hostPage, test, type Host } from "../lib/site";

interface Ended {
  success: boolean; steps: number; effort: number; reward: number;
  taken: { shape: string; color: string; area: string } | null; target: { shape: string; color: string; area: string };
}
interface View {
  seat: number; turn: number | null; step: number; round: number; gripper: [number, number]; heard: string | null;
  sees: { area?: string; cut?: unknown[][]; pieces?: unknown[]; phrases?: { intent: string; sentence: string; effort: number }[] };
  messages: { text: string; sentence: string }[]; history: { act: string | null }[]; outcome: { completed: boolean; rounds: Ended[] } | null;
}

function viewOf(game: Locator): Promise<View> {
  return game.evaluate((element) => structuredClone((element as unknown as { view: View }).view));
}

/** Waits until the person is to act or the game is over. */
async function myTurn(game: Locator): Promise<View> {
  await expect
    .poll(() => game.evaluate((element) => {
      const view = (element as unknown as { view: View | null }).view;
      return view !== null && (view.turn === view.seat || view.turn === null);
    }), { timeout: 30_000 })
    .toBe(true);
  return viewOf(game);
}

/** Presses each key when it is the person's turn; what is left over when the game ends is not pressed. */
async function press(page: Page, game: Locator, keys: string[]): Promise<View> {
  await myTurn(game);
  await game.evaluate((element) => (element as HTMLElement).focus());
  for (const key of keys) {
    const { turn, round, step } = await myTurn(game);
    if (turn === null) break;
    await page.keyboard.press(key);
    await expect.poll(async () => { const now = await viewOf(game); return now.turn === null || `${now.round}/${now.step}` !== `${round}/${step}`; }).toBe(true);
  }
  return myTurn(game);
}

const times = (key: string, count: number): string[] => Array.from({ length: count }, () => key);

/** A trace's deeds without their times. */
function deeds(text: string): string[] {
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line) as { event?: string; action?: unknown; text?: string });
  return lines.filter(({ event }) => event === "act" || event === "say").map(({ action, text }) => JSON.stringify(action ?? text));
}

async function over(page: Page, game: Locator, completed: boolean): Promise<Ended> {
  await expect(game.locator("tandem-cogrip-end")).toBeVisible({ timeout: 30_000 });
  const { outcome } = await viewOf(game);
  expect(outcome?.completed).toBe(completed);
  expect(await replayed(page, await trace(game))).toMatchObject({ complete: true, cut: false, matches: true });
  return outcome!.rounds[0]!;
}

test.describe("the Follower", () => {
  const TO_TARGET = [...times("ArrowUp", 5), "a", " "];

  test("takes the target, and the same keys give the same game", async ({ page, host }) => {
    const games: string[][] = [];
    for (let again = 0; again < 2; again += 1) {
      const game = await openGame(page, host, `board="first"`);
      await press(page, game, TO_TARGET);
      const ended = await over(page, game, true);
      expect(ended).toMatchObject({ success: true, steps: 7, taken: { shape: "T", color: "red" } });
      await expect(game.locator("tandem-cogrip-end")).toContainText("You took the right piece");
      games.push(deeds(await trace(game)));
    }
    expect(games[0]).toEqual(games[1]);
  });

  test("takes another piece: told which, and which it should have been", async ({ page, host }) => {
    const game = await openGame(page, host, `board="first"`);
    await press(page, game, [...times("d", 5), "Enter"]);
    const ended = await over(page, game, false);
    expect(ended).toMatchObject({ success: false, taken: { shape: "X", color: "blue" }, target: { shape: "T" } });
    await expect(game.locator("tandem-cogrip-end")).toContainText("The blue X at right center was taken, but the target was the red T at top center.");
  });

  test("waits for thirty steps: time runs out", async ({ page, host }) => {
    const game = await openGame(page, host, `board="first" guide="silent"`);
    await press(page, game, [...times(".", 15), ...times("x", 15)]);
    expect(await over(page, game, false)).toMatchObject({ taken: null, steps: 30, effort: 0 });
    await expect(game.locator("tandem-cogrip-end")).toContainText("Time ran out");
  });

  test("hears the Guide, knows what is under the gripper, and sees nothing but the cut", async ({ page, host }) => {
    const game = await openGame(page, host, `board="first"`);
    const view = await myTurn(game);
    expect(view.sees.pieces).toBeUndefined();
    await expect(game.locator("[part=said]")).toHaveText(view.heard!);
    await expect(game.locator("[part=chat]")).toContainText(view.heard!);
    await press(page, game, [...times("ArrowUp", 5), "ArrowLeft"]);
    await expect(game.getByRole("status")).toContainText("Under the gripper: red T.");
    await expect(game.getByRole("application")).toHaveAccessibleName(/Under the gripper: red T/);
    await press(page, game, [...times("ArrowDown", 11)]);
    await expect(game.locator(".out").first()).toBeAttached();
    await expect(game.locator(".map")).toHaveAccessibleName(/bottom center/);
  });

  test("a take of nothing and a step against the edge cost a step, and say so", async ({ page, host }) => {
    const game = await openGame(page, host, `board="small" guide="silent"`);
    await press(page, game, ["Enter"]);
    await expect(game.getByText("There was nothing to take.", { exact: true })).toBeVisible();
    const { gripper } = await press(page, game, times("ArrowRight", 8));
    expect(gripper[0]).toBe(11);
    await expect(game.getByText("The edge of the board is there.", { exact: true })).toBeVisible();
  });

  test("plays several rounds; each end is told", async ({ page, host }) => {
    const game = await openGame(page, host, `board="first" rounds="2"`);
    await press(page, game, TO_TARGET);
    await expect(game.locator("[part=note]")).toContainText("the target");
    await press(page, game, [...times("d", 5), "Enter"]);
    await over(page, game, false);
    await expect(game.locator("tandem-cogrip-end")).toContainText("1 of 2 targets taken");
    const [download] = await Promise.all([page.waitForEvent("download"), game.getByRole("button", { name: "Table as CSV" }).click()]);
    const table = readFileSync(await download.path(), "utf8").trimEnd().split("\n");
    expect(table).toHaveLength(3);
    expect(table[1]).toMatch(/^1,true,red T top center,red T top center,7,/);
    await game.getByRole("button", { name: "Play again" }).click();
    expect((await myTurn(game)).step).toBe(0);
  });
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });
  test("presses beside the gripper move it, one on it takes", async ({ page, host }) => {
    const game = await openGame(page, host, `board="first"`);
    for (const act of [...times("up", 5), "left", "take"]) {
      await myTurn(game);
      const box = (await game.locator("tandem-cogrip-board").boundingBox())!;
      const [dx, dy] = { up: [0, -0.3], left: [-0.3, 0], take: [0, 0] }[act] as [number, number];
      await page.touchscreen.tap(box.x + box.width * (0.5 + dx), box.y + box.height * (0.5 + dy));
    }
    await over(page, game, true);
  });
});

test.describe("the Guide", () => {
  test("names the piece by a key until it is taken, and the same keys give the same game", async ({ page, host }) => {
    const games: string[][] = [];
    for (let again = 0; again < 2; again += 1) {
      const game = await openGame(page, host, `role="guide" board="corners"`);
      await press(page, game, times("1", 30));
      expect(await over(page, game, true)).toMatchObject({ taken: { shape: "F", color: "purple" } });
      games.push(deeds(await trace(game)));
    }
    expect(games[0]).toEqual(games[1]);
  });

  test("leads a cautious Follower by arrows and space", async ({ page, host }) => {
    const game = await openGame(page, host, `role="guide" follower="cautious" phi="0.99" board="first"`);
    await press(page, game, []);
    for (let step = 0; step < 30; step += 1) {
      const { turn, gripper } = await myTurn(game);
      if (turn === null) break;
      await press(page, game, [gripper[1] > 5 ? "ArrowUp" : gripper[0] > 9 ? "ArrowLeft" : " "]);
    }
    expect(await over(page, game, true)).toMatchObject({ taken: { shape: "T" } });
  });

  test("says nothing to a cautious Follower: time runs out, without effort", async ({ page, host }) => {
    const game = await openGame(page, host, `role="guide" follower="cautious" board="first"`);
    await press(page, game, times("s", 30));
    expect(await over(page, game, false)).toMatchObject({ taken: null, steps: 30, effort: 0 });
  });

  test("sends an eager Follower to the wrong piece in words of its own", async ({ page, host }) => {
    const game = await openGame(page, host, `role="guide" board="first"`);
    await myTurn(game);
    await game.evaluate((element) => (element as HTMLElement).focus());
    await page.keyboard.press("t");
    await page.keyboard.type("please grab the blue cross");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await viewOf(game)).messages.length).toBe(1);
    const [message] = (await viewOf(game)).messages;
    expect(message).toMatchObject({ text: "please grab the blue cross", sentence: "Take the blue X" });
    await expect(game.locator("[part=chat]")).toContainText("heard as “Take the blue X”");
    await myTurn(game);
    await page.keyboard.press("Escape");
    await press(page, game, times("s", 30));
    expect(await over(page, game, false)).toMatchObject({ taken: { shape: "X", color: "blue" } });
  });

  test("is answered when it is not understood; it is still its turn, and nothing was said", async ({ page, host }) => {
    const game = await openGame(page, host, `role="guide" board="first"`);
    await myTurn(game);
    await game.getByLabel("In your own words").fill("abracadabra");
    await page.keyboard.press("Enter");
    await expect(game.locator("[part=answer]")).toContainText("I did not understand that");
    await expect(game.getByRole("status")).toContainText("I did not understand that");
    expect(await viewOf(game)).toMatchObject({ turn: 0, step: 0, messages: [] });
    await press(page, game, ["y", "n"]);
    expect((await viewOf(game)).messages).toHaveLength(2);
    expect(await replayed(page, await trace(game))).toMatchObject({ complete: false });
  });

  test("has a button for each of the fourteen intents, with its words and its effort", async ({ page, host }) => {
    const game = await openGame(page, host, `role="guide" board="crowd"`);
    const { sees } = await myTurn(game);
    const buttons = game.locator("[part=intent]");
    await expect(buttons).toHaveCount(14);
    for (const { intent, sentence, effort } of sees.phrases!) {
      const name = new RegExp(`${sentence || "Say nothing"} effort ${effort.toFixed(1)}$`);
      await expect(game.locator(`[data-intent=${intent}]`)).toHaveAccessibleName(name);
    }
    await game.locator("[data-intent=cps]").press("Enter");
    const cps = sees.phrases!.find(({ intent }) => intent === "cps")!;
    await expect.poll(async () => (await viewOf(game)).messages[0]?.sentence).toBe(cps.sentence);
    // What is said is billed once it was not the last step.
    await press(page, game, ["s"]);
    await expect(game.locator("[part=status]")).toContainText("Effort 1.2");
  });
});

test.describe("two agents", () => {
  test("are watched step by step to a success, and again with the same seed", async ({ page, host }) => {
    const games: string[][] = [];
    for (let again = 0; again < 2; again += 1) {
      const game = await openGame(page, host, `role="watch" board="first" pace="60000"`);
      await game.getByRole("button", { name: "Pause" }).press("Enter");
      const step = game.getByRole("button", { name: "Step" });
      for (let deed = 0; deed < 60 && (await viewOf(game)).turn !== null; deed += 1) {
        const before = (await trace(game)).length;
        await step.press("Enter");
        await expect.poll(async () => (await trace(game)).length).toBeGreaterThan(before);
        if (deed === 3) {
          await expect(game.locator("tandem-cogrip-board")).toHaveCount(2);
          await expect(game.locator("tandem-cogrip-plan svg.chart")).toHaveAccessibleName(/plan/i);
        }
      }
      await over(page, game, true);
      games.push(deeds(await trace(game)));
    }
    expect(games[0]).toEqual(games[1]);
  });

  test("fail where the Guide is silent and the Follower cautious", async ({ page, host }) => {
    const game = await openGame(page, host, `role="watch" board="first" guide="silent" follower="cautious"`);
    expect(await over(page, game, false)).toMatchObject({ steps: 30, effort: 0, taken: null });
  });

  test("show what they think in Insight", async ({ page, host }) => {
    const game = await openGame(page, host, `role="watch" board="first" insight="open" pace="60000"`);
    await game.getByRole("button", { name: "Pause" }).press("Enter");
    const insight = game.locator("tandem-insight");
    await game.getByRole("button", { name: "Step" }).press("Enter");
    await expect(insight).toContainText("heuristic");
    await expect(insight).toContainText("Intent");
    await game.getByRole("button", { name: "Step" }).press("Enter");
    await expect(insight).toContainText("Keeps 0.95 of its confidence");
  });
});

test("wrong attributes are named, with what they may be", async ({ page, host }) => {
  for (const [attribute, value, valid] of [
    ["role", "referee", "follower, guide, watch"],
    ["phi", "2", "0.75"],
    ["rounds", "0", "1 to 100"],
    ["board", "nowhere", "corners"],
    ["board", "random-99-1", ""],
    ["guide", "eager", "heuristic, reference, silent, random"],
    ["follower", "bold", "cautious, eager"],
  ] as const) {
    const role = attribute === "follower" || attribute === "phi" ? `role="watch"` : "";
    host.faults.pages = { "/game.html": hostPage(`<tandem-game world="cogrip" journal="off" ${role} ${attribute}="${value}"></tandem-game>`) };
    await page.goto(`${host.url}/game.html`);
    const alert = page.locator("tandem-game").getByRole("alert");
    await expect(alert).toContainText(`${attribute}="${value}"`);
    await expect(alert).toContainText(valid);
  }
});

test("the role is a word that assistive technology passes over for one it knows", async ({ page, host }) => {
  const game = await openGame(page, host, `role="guide" board="first"`);
  await expect(game).toHaveAttribute("role", "guide group");
  expect((await viewOf(game)).seat).toBe(0);
  await game.evaluate((element) => element.setAttribute("role", "follower"));
  await expect.poll(async () => (await myTurn(game)).seat).toBe(1);
});

test("the page keeps the game in its address; a finished one is replayed, step by step", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}cogrip.html?board=first&seed=7&pace=0`);
  const game = page.locator("tandem-game");
  await press(page, game, [...times("ArrowUp", 5), "ArrowLeft", "Enter"]);
  await game.getByRole("link", { name: "Open in Replay" }).click();
  await expect(page.locator("#verdict")).toContainText("outcome and digest are equal");
  await page.getByLabel("Step", { exact: true }).fill("1");
  await expect(page.locator("#happened")).toContainText("The Guide says: “Take the T”");
  await page.getByRole("button", { name: "One step on" }).click();
  await expect(page.locator("#happened")).toHaveText("The Follower goes up.");
  await expect(page.locator("#sides tandem-cogrip-board")).toHaveCount(2);
  await page.getByLabel("Step", { exact: true }).fill("14");
  await expect(page.locator("#happened")).toContainText("It is the target: the red T at top center. The game is over.");

  await page.goto(`${siteUrl}cogrip.html?seed=7&pace=0`);
  await page.getByText("Another game").click();
  await page.locator("[name=role]").selectOption("guide");
  await page.locator("[name=board]").selectOption("corners");
  await page.locator("[name=follower]").selectOption("cautious");
  await expect(page.locator("#about")).toContainText("Does what it is told");
  await page.getByRole("button", { name: "Begin" }).click();
  expect(page.url()).toContain("role=guide");
  expect(page.url()).toContain("follower=cautious");
  // There is no view while the other game is being set up.
  await expect.poll(async () => (await viewOf(game))?.seat).toBe(0);
  await page.reload();
  expect(await myTurn(game)).toMatchObject({ seat: 0 });
});
