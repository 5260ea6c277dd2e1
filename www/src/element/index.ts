/** The script a page loads: defines `<tandem-game>` and what it is made of. */

import "../cogrip/index";
import "../gnomes/index";
import { TandemInsight } from "../insight/insight";
import { TandemChat } from "./chat";
import { TandemGame } from "./tandem-game";

for (const [name, element] of [
  ["tandem-chat", TandemChat],
  ["tandem-insight", TandemInsight],
  ["tandem-game", TandemGame],
] as const) {
  if (!customElements.get(name)) customElements.define(name, element);
}

export { TandemGame };
