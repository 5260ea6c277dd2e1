/** From the game to its trace and back: what is downloaded is what is replayed. */

import { act, KEY, myTurn, playOn, trace, viewOf } from "../lib/play";
import { expect, test } from "../lib/site";

const PAGE = "gnomes.html?board=practice&partner=comm&seed=11&pace=0&journal=off";

test("by keyboard alone from the quick words to the trace, which Replay finds equal", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}${PAGE}`);
  const game = page.locator("tandem-game");
  await myTurn(game);
  const over = game.evaluate((element) => new Promise<{ digest: string }>((found) =>
    element.addEventListener("over", (event) => found((event as CustomEvent).detail), { once: true })));

  await game.getByRole("button", { name: "Where is the treasure?" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await viewOf(game)).messages.map(({ text }) => text)).toContain("Where is the treasure?");
  await game.evaluate((element) => (element as HTMLElement).focus());
  await playOn(game, (_, action) => page.keyboard.press(KEY[action]!));
  const { digest } = await over;

  await game.getByRole("button", { name: "Download the trace" }).focus();
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(download.suggestedFilename()).toMatch(/^tandem-gnomes-practice-.*\.jsonl$/);
  const file = await download.path();
  await page.goto(`${siteUrl}replay.html`);
  await page.setInputFiles("#file", file);
  await expect(page.locator("#verdict")).toContainText("outcome and digest are equal");
  await expect(page.locator("#verdict")).toContainText(digest);
  await expect(page.locator("#about")).toContainText("a person with comm, seed 11");
});

test("the focus stays on the board while the partner moves, and keys out of turn do nothing", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}gnomes.html?board=practice&partner=mute&seed=3&pace=3000`);
  const game = page.locator("tandem-game");
  await myTurn(game);
  await game.evaluate((element) => (element as HTMLElement).focus());
  await page.keyboard.press(" ");
  await expect.poll(async () => (await viewOf(game)).turn).toBe(1);
  await page.keyboard.press(" ");
  await expect(game.getByText("It is your partner's turn")).toBeAttached();
  await myTurn(game);
  const { history } = await viewOf(game);
  expect(history.map(({ seat }) => seat)).toEqual([0, 1]);
  await page.keyboard.press(" ");
  await expect.poll(async () => (await viewOf(game)).history.length).toBeGreaterThan(2);
});

test("what is typed is words, whatever it holds", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}${PAGE}`);
  const game = page.locator("tandem-game");
  await myTurn(game);
  const words = `<img src=x onerror="document.title='caught'"> "w a s d" \\ \u{1F344}`;
  await game.getByLabel("Message to your partner").fill(words);
  await page.keyboard.press("Enter");
  await expect(game.getByRole("log")).toContainText(words);
  expect((await viewOf(game)).history).toHaveLength(0);
  await act(game, "stay");
  await myTurn(game);
  const file = { name: "g.jsonl", mimeType: "text/plain", buffer: Buffer.from(await trace(game)) };
  await page.goto(`${siteUrl}replay.html`);
  await page.setInputFiles("#file", file);
  await page.getByRole("button", { name: "One step on" }).click();
  await expect(page.locator("#talk")).toContainText(words);
  await expect(page).toHaveTitle("Replay - Tandem");
});
