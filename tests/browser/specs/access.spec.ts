import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { myTurn } from "../lib/play";
import { expect, test } from "../lib/site";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

async function serious(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { target: unknown; failureSummary: string }[] }[] }> } }).axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${JSON.stringify(target)} ${failureSummary}`));
  });
}

test.use({ bypassCSP: true });

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    for (const name of ["index", "gnomes", "watch", "replay", "embed"]) {
      test(`${name}: axe finds nothing serious`, async ({ page, siteUrl }) => {
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.goto(`${siteUrl}${name}.html`);
        if (name === "gnomes") await myTurn(page.locator("tandem-game"));
        expect(await serious(page)).toEqual([]);
      });
    }
  });
}
