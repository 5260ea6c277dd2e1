import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
interface Violation {
  id: string;
  impact: string;
  nodes: { target: unknown; failureSummary: string }[];
}

/** What axe calls serious or critical on the page as it stands; the tests need `bypassCSP`. */
export async function serious(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${JSON.stringify(target)} ${failureSummary}`));
  });
}
