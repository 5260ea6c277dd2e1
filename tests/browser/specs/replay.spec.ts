import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { replayed } from "../lib/play";
import { expect, test } from "../lib/site";

const folder = resolve(import.meta.dirname, "../../traces");
const file = (name: string) => readFileSync(join(folder, name), "utf8");

async function open(page: Page, text: string): Promise<void> {
  await page.setInputFiles("#file", { name: "given.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });
}

test("traces written natively reach the same digest in the browser", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}replay.html`);
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const end = JSON.parse(file(name).trimEnd().split("\n").at(-1)!) as { digest: string };
    const verdict = await replayed(page, file(name));
    expect(verdict, name).toMatchObject({ complete: true, cut: false, matches: true, digest: end.digest });
  }
});

test("a native session is repeated in the browser, line for line", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}replay.html`);
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    const again = await page.evaluate(async (text) => {
      const url = new URL("pkg/wasm/tandem.js", location.href).href;
      const tandem = await import(url);
      await tandem.default({ module_or_path: new URL("tandem_bg.wasm", url) });
      const { world, seed, config, seats, pace } = JSON.parse(text.split("\n")[0]!);
      const session = new tandem.Session({ world, seed, config, seats, pace });
      type Effect = { effect: string; ticket: number; at: number };
      const timers = new Map<number, number>();
      const obey = (effects: Effect[]) => effects.forEach(({ effect, ticket, at }) => effect === "wake" && timers.set(ticket, at));
      obey(session.start(0));
      while (!session.over()) {
        const next = [...timers].sort(([one, at], [other, later]) => at - later || one - other)[0];
        if (!next) break;
        timers.delete(next[0]);
        obey(session.handle({ at: next[1], event: "wake", ticket: next[0] }));
      }
      const trace = session.trace() as string;
      session.free();
      return trace;
    }, file(name));
    expect(again === file(name), name).toBe(true);
  }
});

test("a trace is looked through: both sides, what happened, what the agent thought", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}replay.html`);
  await open(page, file("5a-mute.jsonl"));
  await expect(page.locator("#verdict")).toContainText("outcome and digest are equal");
  await page.getByRole("button", { name: "One step on" }).click();
  await expect(page.locator("#where")).toContainText("step 1 of");
  await page.getByLabel("Step", { exact: true }).fill("6");
  await expect(page.locator("#where")).toContainText("step 6 of");
  await expect(page.locator("#insight")).toContainText("Visits");
  await page.getByLabel("Speed").selectOption("16");
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.locator("#happened")).toContainText("The game is over", { timeout: 60_000 });
});

test("what is no trace any more is refused with line and reason; what was cut off is recovered", async ({ page, siteUrl }) => {
  await page.goto(`${siteUrl}replay.html`);
  const lines = file("practice-random.jsonl").trimEnd().split("\n");
  const verdict = page.locator("#verdict");
  const at = lines.findIndex((line) => line.includes('"event":"act"'));
  await open(page, lines.map((line, index) => (index === at ? line.replace(/"action":"\w+"/, '"action":"stay" ') : line)).join("\n"));
  await expect(verdict).toContainText(`Line ${at + 1}: was changed after it was written`);
  await open(page, [...lines.slice(0, 3), lines[4], lines[3], ...lines.slice(5)].join("\n"));
  await expect(verdict).toContainText("Line 4: is numbered 4 where 3 belongs");
  await open(page, "hello");
  await expect(verdict).toContainText("Line 1: is not the header of a tandem-trace-1 file");
  await open(page, "");
  await expect(verdict).toContainText("refused");
  await open(page, `${lines.slice(0, 9).join("\n")}\n${lines[9]!.slice(0, 20)}`);
  await expect(verdict).toContainText("The last line was cut off and is left out");
});
