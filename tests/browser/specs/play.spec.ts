import { KEY, myTurn, playOn, replayed, trace, viewOf } from "../lib/play";
import { expect, hostPage, test } from "../lib/site";

const GAME = `<tandem-game id="g" board="practice" partner="comm" seed="7" pace="0" journal="off" style="height:700px"></tandem-game>`;

test("a whole game by keyboard, with chat, and its trace replays to the same digest", async ({ page, host }) => {
  host.faults.pages = { "/game.html": hostPage(GAME) };
  await page.goto(`${host.url}/game.html`);
  const game = page.locator("#g");
  await myTurn(game);
  await game.evaluate((element) => (element as HTMLElement).focus());
  await page.keyboard.press("t");
  await page.keyboard.type("where is the treasure?");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await viewOf(game)).messages.length).toBeGreaterThanOrEqual(2);
  await page.keyboard.press("Escape");
  const over = game.evaluate((element) => new Promise<{ digest: string; trace: string }>((found) =>
    element.addEventListener("over", (event) => found((event as CustomEvent).detail), { once: true })));
  const turns = await playOn(game, async (_, action) => page.keyboard.press(KEY[action]!));
  expect(turns).toBeGreaterThan(4);
  const { digest, trace: text } = await over;
  await expect(game.locator("tandem-gnomes-end")).toBeVisible();
  expect(text).toBe(await trace(game));
  const verdict = await replayed(page, text);
  expect(verdict).toMatchObject({ complete: true, cut: false, digest, matches: true });
});

test("the trace downloaded is the trace", async ({ page, host }) => {
  host.faults.pages = { "/game.html": hostPage(GAME) };
  await page.goto(`${host.url}/game.html`);
  const game = page.locator("#g");
  await myTurn(game);
  await game.evaluate((element) => (element as HTMLElement).focus());
  await page.keyboard.press(" ");
  await myTurn(game);
  const [download] = await Promise.all([page.waitForEvent("download"), game.getByRole("button", { name: "Download the trace" }).click()]);
  const text = (await (await download.createReadStream()).toArray()).join("");
  expect(text).toBe(await trace(game));
  expect(await replayed(page, text)).toMatchObject({ complete: false });
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });
  test("a whole game by touch on a phone", async ({ page, host }) => {
    host.faults.pages = { "/game.html": hostPage(GAME) };
    await page.goto(`${host.url}/game.html`);
    const game = page.locator("#g");
    await myTurn(game);
    await playOn(game, (_, action) => game.locator(`tandem-gnomes-board .hand button.${action}`).tap());
    await expect(game.locator("tandem-gnomes-end")).toBeVisible();
    expect(await replayed(page, await trace(game))).toMatchObject({ complete: true, matches: true });
  });
});

test("a level file of one's own is played; a wrong one is named with line and column", async ({ page, host }) => {
  host.faults.pages = { "/game.html": hostPage(GAME) };
  await page.goto(`${host.url}/game.html`);
  const game = page.locator("#g");
  await myTurn(game);
  const level = "name: two\n\n+--+--+   +--+--+\n|S     |   |S    |\n+  +  +   +  +  +\n|   1 |   |     |\n+--+--+   +--+--+\n";
  await game.evaluate((element, level) => { (element as unknown as { boardSource: string }).boardSource = level; }, level);
  await expect(game).toContainText(/line 4, column/);
  const right = level.replace("|S     |", "|S    |");
  await game.evaluate((element, level) => { (element as unknown as { boardSource: string }).boardSource = level; }, right);
  expect((await myTurn(game)).width).toBe(2);
  const shut = right.replaceAll("+  +  +", "+--+--+");
  await game.evaluate((element, level) => { (element as unknown as { boardSource: string }).boardSource = level; }, shut);
  await expect(game).toContainText(/cannot be reached/);
});
