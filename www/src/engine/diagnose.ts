/** From what went wrong to words: the cause, and what mends it. */

import { fill, type Texts } from "../texts/en";
import type { LoadFault } from "./protocol";
import type { Failure } from "./types";

/** A load fault as a failure that a page can show. */
export function explain(fault: LoadFault, texts: Texts): Failure {
  const [cause, mend] = words(fault.cause, texts);
  const values = { file: fileName(fault.url), url: fault.url, detail: fault.detail };
  return { code: "load", field: fault.url, message: fill(cause, values), mend: fill(mend, values) };
}

function words(cause: LoadFault["cause"], texts: Texts): [string, string] {
  switch (cause) {
    case "missing":
      return [texts.causeMissing, texts.mendMissing];
    case "html":
      return [texts.causeHtml, texts.mendMissing];
    case "damaged":
      return [texts.causeDamaged, texts.mendDamaged];
    case "status":
      return [texts.causeStatus, texts.mendStatus];
    case "network":
      return [texts.causeNetwork, texts.mendNetwork];
    case "offline":
      return [texts.causeOffline, texts.mendOffline];
    case "csp-wasm":
      return [texts.causeCspWasm, texts.mendCspWasm];
    case "csp-worker":
      return [texts.causeCspWorker, texts.mendCspWorker];
    case "mime-script":
      return [texts.causeMimeScript, texts.mendMimeScript];
    case "file":
      return [texts.causeFile, texts.mendFile];
    case "old":
      return [texts.causeOld, texts.mendOld];
    case "unknown":
      return [texts.causeUnknown, texts.mendUnknown];
  }
}

function fileName(url: string): string {
  return url.split(/[?#]/)[0]?.split("/").pop() || url;
}

/** A crash of the library or its worker. The journal has everything up to the last event. */
export function crashed(detail: string, texts: Texts): Failure {
  return { code: "crash", message: fill(texts.causeCrash, { detail }), mend: texts.mendCrash };
}
