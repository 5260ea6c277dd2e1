/** Defines what lies on the table of Gnomes at Night. */

import { TandemGnomesBoard } from "./board";
import { TandemGnomesEnd } from "./end";
import { TandemGnomes } from "./table";

for (const [name, element] of [
  ["tandem-gnomes-board", TandemGnomesBoard],
  ["tandem-gnomes", TandemGnomes],
  ["tandem-gnomes-end", TandemGnomesEnd],
] as const) {
  if (!customElements.get(name)) customElements.define(name, element);
}
