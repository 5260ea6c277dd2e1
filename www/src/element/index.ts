/** The script a page loads: defines `<tandem-game>` and what it is made of. */

import "../gnomes/index";
import { TandemGame } from "./tandem-game";

if (!customElements.get("tandem-game")) customElements.define("tandem-game", TandemGame);

export { TandemGame };
