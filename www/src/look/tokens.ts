import { unsafeCSS } from "lit";
import sheet from "./tokens.css?inline";

/** Every colour, space and radius as `--tandem-` custom properties; a page may set any of them on the element. */
export const tokens = unsafeCSS(sheet);
