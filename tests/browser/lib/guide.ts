/** Games with the trained Guide. */

import type { Locator, Page } from "@playwright/test";
import * as cogrip from "./cogrip";
import { trace } from "./play";
import { expect, type Host } from "./site";

export function openGame(page: Page, host: Host, attributes: string, timeout?: number): Promise<Locator> {
  return cogrip.openGame(page, host, `${attributes} guide="ppo"`, timeout);
}

export async function isOver(game: Locator, timeout = 60_000): Promise<void> {
  await expect(game.locator("tandem-cogrip-end")).toBeVisible({ timeout });
}

export async function lines(game: Locator): Promise<string[]> {
  return (await trace(game)).trimEnd().split("\n");
}

/** What the Guide explained, in order. */
export async function guideThoughts(game: Locator): Promise<Record<string, unknown>[]> {
  const entries = (await lines(game)).map((line) => JSON.parse(line) as { because?: Record<string, unknown> });
  return entries.flatMap(({ because }) => (because?.["agent"] === "ppo" ? [because] : []));
}
