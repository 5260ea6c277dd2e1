/** The custom properties of `colours.css` for a shadow root. */

import { unsafeCSS } from "lit";
import text from "./colours.css?inline";

export const tokens = unsafeCSS(text);
