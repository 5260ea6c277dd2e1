/** What a page shows besides its first face: looked at by axe, and at the width of a phone. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { serious } from "../lib/axe";
import { act, choose, myTurn, playOn } from "../lib/play";
import { expect, hostPage, test } from "../lib/site";

const trace = readFileSync(resolve(import.meta.dirname, "../../traces/9a-comm.jsonl"));
const PRACTICE = "gnomes.html?board=practice&partner=comm&seed=7&pace=0";

/** A game of the other world, at the person's turn. */
async function cogrip(page: Page, site: string, settings: string): Promise<Locator> {
  await page.goto(`${site}cogrip.html?seed=7&pace=0&${settings}`);
  const game = page.locator("tandem-game");
  await myTurn(game);
  return game;
}

const STATES: Record<string, (page: Page, site: string) => Promise<void>> = {
  "a game in play, with the drawer and the list of keys": async (page, site) => {
    await page.goto(`${site}${PRACTICE}`);
    const game = page.locator("tandem-game");
    const view = await myTurn(game);
    await game.evaluate((element) => (element as unknown as { say(text: string): Promise<void> }).say("can you go right?"));
    await act(game, choose(view));
    await myTurn(game);
    await game.getByRole("button", { name: "Show the keys" }).click();
    await game.locator("[part=bar] button[aria-expanded]").click();
    await expect(game.locator("tandem-insight")).toContainText("Visits");
  },
  "the end": async (page, site) => {
    await page.goto(`${site}${PRACTICE}`);
    const game = page.locator("tandem-game");
    await playOn(game, (_, action) => act(game, action));
    await expect(game.locator("tandem-gnomes-end")).toBeVisible();
  },
  "the Follower's place, with the drawer and the list of keys": async (page, site) => {
    const game = await cogrip(page, site, "board=first&insight=open");
    await game.evaluate((element) => (element as unknown as { act(action: object): Promise<void> }).act({ do: "up" }));
    await myTurn(game);
    await game.getByRole("button", { name: "Show the keys" }).click();
    await expect(game.locator("tandem-insight")).toContainText("Intent");
  },
  "the Guide's place, with an answer to what was not understood": async (page, site) => {
    const game = await cogrip(page, site, "board=crowd&role=guide");
    await game.evaluate((element) => (element as unknown as { act(action: object): Promise<void> }).act({ say: "pcs" }));
    await myTurn(game);
    await game.getByLabel("In your own words").fill("abracadabra");
    await page.keyboard.press("Enter");
    await expect(game.locator("[part=answer]")).toBeVisible();
  },
  "Guide and Follower watched": async (page, site) => {
    await page.goto(`${site}cogrip.html?board=crowd&role=watch&seed=7&pace=200&insight=open`);
    const game = page.locator("tandem-game");
    await expect(game.getByRole("log").locator("p")).not.toHaveCount(0);
    await game.getByRole("button", { name: "Pause" }).click();
    await expect(game.locator("tandem-cogrip-plan").first()).toBeVisible();
  },
  "the trained Guide watched, with what it would say elsewhere": async (page, site) => {
    await page.goto(`${site}cogrip.html?board=test-30&role=watch&guide=ppo&seed=7&pace=200&insight=open`);
    const game = page.locator("tandem-game");
    await expect(game.locator("tandem-cogrip-shares")).toBeVisible();
    await game.getByRole("button", { name: "Pause" }).click();
    await game.getByRole("button", { name: "Ask it for every tile" }).click();
    await expect(game.locator("tandem-cogrip-network .said")).toBeVisible();
  },
  "the end of several rounds with Guide and Follower": async (page, site) => {
    await page.goto(`${site}cogrip.html?board=corners&role=watch&seed=7&pace=0&rounds=3`);
    await expect(page.locator("tandem-cogrip-end")).toBeVisible({ timeout: 60_000 });
  },
  "the offer to go on": async (page, site) => {
    await page.goto(`${site}${PRACTICE}`);
    const game = page.locator("tandem-game");
    await myTurn(game);
    await act(game, "stay");
    await myTurn(game);
    await page.reload();
    await expect(game.getByRole("button", { name: "Go on" })).toBeVisible();
  },
  "a wrong attribute": async (page, site) => {
    await page.goto(`${site}gnomes.html?board=9Z`);
    await expect(page.locator("tandem-game").getByRole("alert")).toBeVisible();
  },
  "two agents at work": async (page, site) => {
    await page.goto(`${site}watch.html?board=9A&seed=2&pace=300`);
    const game = page.locator("tandem-game");
    await expect(game.getByRole("log").locator("p")).not.toHaveCount(0);
    await game.getByRole("button", { name: "Pause" }).click();
  },
  "two agents at the end": async (page, site) => {
    await page.goto(`${site}watch.html?board=practice&seed=2&pace=0`);
    const game = page.locator("tandem-game");
    await expect(game.locator("tandem-gnomes-end")).toBeVisible({ timeout: 60_000 });
  },
  "a trace in the middle": async (page, site) => {
    await page.goto(`${site}replay.html`);
    await page.setInputFiles("#file", { name: "given.jsonl", mimeType: "text/plain", buffer: trace });
    await page.getByLabel("Step", { exact: true }).fill("23");
    await expect(page.locator("#where")).toContainText("step 23 of");
  },
  "a refused trace": async (page, site) => {
    await page.goto(`${site}replay.html`);
    await page.setInputFiles("#file", { name: "given.jsonl", mimeType: "text/plain", buffer: Buffer.from("hello") });
    await expect(page.locator("#verdict")).toContainText("refused");
  },
};

async function tooWide(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

test.use({ bypassCSP: true, contextOptions: { reducedMotion: "reduce" } });

for (const [name, reach] of Object.entries(STATES)) {
  test(`${name}: axe finds nothing serious, and a phone shows it without scrolling sideways`, async ({ page, siteUrl }) => {
    await reach(page, siteUrl);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await serious(page), colorScheme).toEqual([]);
    }
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(() => tooWide(page), { message: `${width} pixels wide` }).toBeLessThanOrEqual(0);
    }
  });
}

test("every page fits a narrow phone, and says nothing on the console", async ({ page, siteUrl }) => {
  const said: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.setViewportSize({ width: 320, height: 640 });
  for (const name of ["index", "gnomes", "cogrip", "watch", "replay", "embed"]) {
    await page.goto(`${siteUrl}${name}.html`, { waitUntil: "networkidle" });
    if (name === "gnomes" || name === "cogrip") await myTurn(page.locator("tandem-game"));
    expect(await tooWide(page), name).toBeLessThanOrEqual(0);
  }
  expect(said).toEqual([]);
});

test("a failure is told to screen readers too", async ({ page, host }) => {
  host.faults = { wasmMissing: true, pages: { "/game.html": hostPage(`<tandem-game journal="off"></tandem-game>`) } };
  await page.goto(`${host.url}/game.html`);
  await expect(page.getByRole("alert")).toContainText("404");
  expect(await serious(page)).toEqual([]);
});
