/** Boards of one's own, by the page's form: right ones are played, wrong ones lose nothing and say where. */

import type { Page } from "@playwright/test";
import { act, myTurn, viewOf } from "../lib/play";
import { expect, test } from "../lib/site";

const RIGHT = "name: mine\n\n+--+--+   +--+--+\n|S    |   |S    |\n+  +  +   +  +  +\n|   1 |   |     |\n+--+--+   +--+--+\n";

async function give(page: Page, name: string, text: string | Buffer): Promise<void> {
  await page.locator("#level").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

const WRONG: [string, string, string | Buffer, RegExp][] = [
  ["a file that is no board", "notes.txt", "Dear diary", /line 1/i],
  ["an empty file", "empty.txt", "", /board/i],
  ["a picture", "picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 0, 1]), /board/i],
  ["JSON of something else", "package.json", '{"name": "something", "version": 1}', /board/i],
  ["a treasure nobody can reach", "shut.txt", RIGHT.replaceAll("+  +  +", "+--+--+"), /cannot be reached/],
  ["no treasure", "none.txt", RIGHT.replace("1", " "), /treasure/],
  ["two sides of unlike size", "unlike.txt", RIGHT.replace("|S    |\n", "|S |\n"), /line 4, column/],
];

for (const [what, name, text, says] of WRONG) {
  test(`${what} is refused with the reason, and the game before it can be had again`, async ({ page, siteUrl }) => {
    await page.goto(`${siteUrl}gnomes.html?board=practice&partner=mute&seed=7&pace=0`);
    const game = page.locator("tandem-game");
    await myTurn(game);
    await act(game, "stay");
    const before = await myTurn(game);
    await give(page, name, text);
    await expect(game.getByRole("alert")).toContainText(says);
    await page.reload();
    await game.getByRole("button", { name: "Go on" }).click();
    expect(await myTurn(game)).toEqual(before);
  });
}

test("JSON that is cut off is told at once, and the game goes on", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}gnomes.html?board=practice&partner=mute&seed=7&pace=0`);
  const game = page.locator("tandem-game");
  await myTurn(game);
  await page.getByText("Another game").click();
  await give(page, "cut.json", '{"rows": 5, "cols');
  await expect(page.locator("#about")).toContainText(/cut\.json is not whole.*JSON/);
  await expect(page.locator("#about")).toBeVisible();
  await act(game, "stay");
  await expect.poll(async () => (await viewOf(game)).history.length).toBeGreaterThan(0);
});

test("a right file is played, and mending a wrong one needs no reload", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}gnomes.html?board=practice&partner=mute&seed=7&pace=0`);
  const game = page.locator("tandem-game");
  await myTurn(game);
  await give(page, "mine.txt", RIGHT.replace("1", "?"));
  await expect(game.getByRole("alert")).toContainText(/line 6/);
  await give(page, "mine.txt", RIGHT);
  await expect.poll(async () => (await viewOf(game))?.width).toBe(2);
  await act(game, "right");
  await expect.poll(async () => (await viewOf(game)).history.length).toBeGreaterThan(0);
});

test("the form begins the game it names, and the address can be sent on", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}gnomes.html?pace=0`);
  const game = page.locator("tandem-game");
  await myTurn(game);
  await page.getByText("Another game").click();
  await page.locator("#setup [name=board]").selectOption("5A");
  await page.locator("#setup [name=partner]").selectOption("mute");
  await page.getByLabel("Seed").fill("12");
  await page.getByRole("button", { name: "Begin" }).click();
  await expect.poll(async () => (await viewOf(game))?.board).toBe("5A");
  expect(new URL(page.url()).searchParams.toString()).toContain("board=5A&partner=mute&seed=12");
  await page.reload();
  expect((await myTurn(game)).board).toBe("5A");
});
