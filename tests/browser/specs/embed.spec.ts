import type { Page } from "@playwright/test";
import { act, myTurn, viewOf } from "../lib/play";
import { expect, hostPage, test } from "../lib/site";

const game = (id: string, more = "") =>
  `<tandem-game id="${id}" board="practice" partner="mute" seed="7" pace="0" journal="off" style="height:600px" ${more}></tandem-game>`;

/** Where the page stands once it no longer glides: unchanged for so many frames. */
function restingPlace(page: Page): Promise<number> {
  return page.evaluate(() => new Promise<number>((rest) => {
    let [last, frames] = [scrollY, 0];
    const look = () => {
      frames = scrollY === last ? frames + 1 : 0;
      last = scrollY;
      if (frames < 10) requestAnimationFrame(look);
      else rest(last);
    };
    requestAnimationFrame(look);
  }));
}

test("two games on a long page: keys go to the one in focus, else the page scrolls as ever", async ({ page, host }) => {
  host.faults.pages = { "/long.html": hostPage(`<p style="height:900px">Text</p>${game("a")}<p style="height:900px">Text</p>${game("b")}<p style="height:1500px">Text</p>`) };
  await page.goto(`${host.url}/long.html`);
  const [a, b] = [page.locator("#a"), page.locator("#b")];
  await myTurn(a);
  await myTurn(b);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  expect((await viewOf(a)).history).toHaveLength(0);
  expect((await viewOf(b)).history).toHaveLength(0);
  await b.evaluate((element) => (element as HTMLElement).focus());
  const before = await restingPlace(page);
  await page.keyboard.press(" ");
  await expect.poll(async () => (await viewOf(b)).history.length).toBeGreaterThan(0);
  expect((await viewOf(a)).history).toHaveLength(0);
  expect(await restingPlace(page)).toBe(before);
});

test("a game that is removed ends its worker; one that is moved plays on", async ({ page, host }) => {
  host.faults.pages = { "/two.html": hostPage(`<div id="left">${game("a")}</div><div id="right">${game("b")}</div>`) };
  await page.goto(`${host.url}/two.html`);
  const a = page.locator("#a");
  await myTurn(a);
  await myTurn(page.locator("#b"));
  expect(page.workers()).toHaveLength(2);
  await page.evaluate(() => document.querySelector("#b")!.remove());
  await expect.poll(() => page.workers().length).toBe(1);
  await act(a, "stay");
  await myTurn(a);
  const turns = (await viewOf(a)).history.length;
  await page.evaluate(() => document.querySelector("#right")!.append(document.querySelector("#a")!));
  await act(a, "stay");
  await expect.poll(async () => (await viewOf(a)).history.length).toBeGreaterThan(turns);
  expect(page.workers()).toHaveLength(1);
});

for (const [attribute, value, says] of [
  ["board", "9Z", /there is no such board.*9A/s], ["partner", "nobody", /nobody.*comm/s], ["seed", "-3", /seed.*whole number/s],
  ["world", "chess", /world.*gnomes/s], ["insight", "maybe", /insight.*closed/s], ["board", "random-99x9-1", /30/],
] as const) {
  test(`${attribute}="${value}" is named with what it may be`, async ({ page, host }) => {
    host.faults.pages = { "/wrong.html": hostPage(`<tandem-game ${attribute}="${value}" journal="off"></tandem-game>`) };
    await page.goto(`${host.url}/wrong.html`);
    await expect(page.locator("tandem-game")).toContainText(says);
  });
}

for (const [attributes, table, first] of [[`world="gnomes"`, "tandem-gnomes", "right"], [`world="cogrip" board="crowd" role="guide"`, "tandem-cogrip", { say: "csp" }]] as const) {
  test(`${table} in a low box: what does not fit is scrolled to, nothing lies over anything else`, async ({ page, host }) => {
    host.faults.pages = { "/low.html": hostPage(`<tandem-game id="g" ${attributes} seed="7" pace="0" journal="off" insight="open" style="height:620px"></tandem-game>`) };
    for (const width of [1200, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${host.url}/low.html`);
      const game = page.locator("#g");
      // After a move there is something to be seen of what the partner thought.
      await myTurn(game);
      await act(game, first);
      await myTurn(game);
      const { tops, bottoms, inside } = await game.evaluate((element, table) => {
        const root = element.shadowRoot!;
        const lowest = [...root.querySelector(table)!.shadowRoot!.querySelectorAll("*")].map((part) => part.getBoundingClientRect().bottom);
        const [insight, bar] = [root.querySelector("tandem-insight")!, root.querySelector(".bar")!].map((part) => part.getBoundingClientRect());
        root.querySelector(".bar")!.scrollIntoView();
        const box = element.getBoundingClientRect();
        return { tops: [insight!.top, bar!.top], bottoms: [Math.max(...lowest), insight!.bottom], inside: root.querySelector(".bar")!.getBoundingClientRect().bottom <= box.bottom };
      }, table);
      expect(bottoms[0]).toBeLessThanOrEqual(tops[0]!);
      expect(bottoms[1]).toBeLessThanOrEqual(tops[1]!);
      expect(inside).toBe(true);
    }
  });
}
