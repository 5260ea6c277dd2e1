/** The reference game on a page of a test's own. */

import type { Locator, Page } from "@playwright/test";
import { expect, hostPage, type Host } from "./site";

/** Opens a game; of an attribute that is there twice, the first counts. */
export async function openGame(page: Page, host: Host, attributes: string, timeout = 15_000): Promise<Locator> {
  host.faults.pages = { "/game.html": hostPage(`<tandem-game id="g" world="cogrip" ${attributes} pace="0" seed="7" journal="off" style="height:900px"></tandem-game>`) };
  await page.goto(`${host.url}/game.html`);
  const game = page.locator("#g");
  await expect.poll(() => game.evaluate((element) => (element as unknown as { view: unknown }).view !== null), { timeout }).toBe(true);
  return game;
}
