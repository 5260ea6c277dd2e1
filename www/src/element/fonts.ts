/** The typeface, from the element's own folder: font faces belong to the document, not to a shadow root. */

const FAMILY = "Atkinson Hyperlegible";

/** Makes the typeface known to the document, once. Where it cannot be had, the system's fonts stand in. */
export function loadFonts(base: string): void {
  if ([...document.fonts].some((face) => face.family.replace(/["']/g, "") === FAMILY)) return;
  for (const weight of ["400", "700"]) {
    const url = new URL(`assets/atkinson-hyperlegible-latin-${weight}-normal.woff2`, base).href;
    document.fonts.add(new FontFace(FAMILY, `url(${JSON.stringify(url)}) format("woff2")`, { weight, display: "swap" }));
  }
}
