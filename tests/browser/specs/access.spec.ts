import { serious } from "../lib/axe";
import { myTurn } from "../lib/play";
import { expect, test } from "../lib/site";

test.use({ bypassCSP: true });

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    for (const name of ["index", "gnomes", "cogrip", "watch", "replay", "embed"]) {
      test(`${name}: axe finds nothing serious`, async ({ page, siteUrl }) => {
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.goto(`${siteUrl}${name}.html`);
        if (name === "gnomes" || name === "cogrip") await myTurn(page.locator("tandem-game"));
        expect(await serious(page)).toEqual([]);
      });
    }
  });
}
