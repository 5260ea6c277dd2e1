/** Defines what lies on the table of CoGRIP-GL. */

import { TandemCogripBoard } from "./board";
import { TandemCogripEnd } from "./end";
import { TandemCogripNetwork } from "./network";
import { TandemCogripShares } from "./shares";
import { TandemCogripSide } from "./side";
import { TandemCogrip } from "./table";
import { TandemCogripPlan } from "./triangle";

for (const [name, element] of [
  ["tandem-cogrip-board", TandemCogripBoard],
  ["tandem-cogrip-plan", TandemCogripPlan],
  ["tandem-cogrip-network", TandemCogripNetwork],
  ["tandem-cogrip-shares", TandemCogripShares],
  ["tandem-cogrip-side", TandemCogripSide],
  ["tandem-cogrip", TandemCogrip],
  ["tandem-cogrip-end", TandemCogripEnd],
] as const) {
  if (!customElements.get(name)) customElements.define(name, element);
}
