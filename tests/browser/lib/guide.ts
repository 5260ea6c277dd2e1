/** Games with the trained Guide. */

import type { Locator, Page } from "@playwright/test";
import { expect, hostPage, type Host } from "./site";

/** Opens a game with the trained Guide on a page of its own; of an attribute that is there twice, the first counts. */
export async function openGame(page: Page, host: Host, attributes: string, timeout = 15_000): Promise<Locator> {
  host.faults.pages = { "/game.html": hostPage(`<tandem-game id="g" world="cogrip" ${attributes} guide="ppo" pace="0" seed="7" journal="off" style="height:900px"></tandem-game>`) };
  await page.goto(`${host.url}/game.html`);
  const game = page.locator("#g");
  await expect.poll(() => game.evaluate((element) => (element as unknown as { view: unknown }).view !== null), { timeout }).toBe(true);
  return game;
}

export async function isOver(game: Locator, timeout = 60_000): Promise<void> {
  await expect(game.locator("tandem-cogrip-end")).toBeVisible({ timeout });
}

export function lines(game: Locator): Promise<string[]> {
  return game.evaluate((element) => (element as unknown as { trace(): string }).trace().trimEnd().split("\n"));
}

/** What the Guide explained, in order. */
export async function guideThoughts(game: Locator): Promise<Record<string, unknown>[]> {
  const entries = (await lines(game)).map((line) => JSON.parse(line) as { because?: Record<string, unknown> });
  return entries.flatMap(({ because }) => (because?.["agent"] === "ppo" ? [because] : []));
}
