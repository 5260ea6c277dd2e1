/** What the page and its worker say to each other. */

import type { Failure, Frame, LanguageSettings, NetworkAnswer, PlayerMessage, Settings, TraceHeader, Verdict, AnyView, WorldInfo, Seat } from "./types";

/** Why the library could not be loaded, as the worker or the page found out. The page makes words of it. */
export interface LoadFault {
  cause:
    | "missing" // the server has no such file
    | "html" // a page came instead of the file
    | "damaged" // the file is not what it should be
    | "status" // the server answered with another error
    | "network" // no answer at all
    | "offline"
    | "csp-wasm" // the page's policy forbids WebAssembly
    | "csp-worker" // the page's policy forbids the worker
    | "mime-script" // a script came with a type that no browser runs
    | "file" // the page was opened from a disk, without a server
    | "old" // the browser is too old
    | "unknown";
  url: string;
  /** The browser's or the server's own words. */
  detail: string;
}

/** What the worker can be asked to do: its arguments and its answer. */
export interface Calls {
  load: { args: { base: string }; gives: { version: string; worlds: WorldInfo[] } };
  play: { args: { settings: Settings }; gives: null };
  resume: { args: { trace: string; language?: LanguageSettings | undefined }; gives: null };
  replay: { args: { trace: string }; gives: { header: TraceHeader; length: number; verdict: Verdict } };
  frame: { args: { index: number }; gives: Frame };
  act: { args: { seat: Seat; action: unknown }; gives: null };
  say: { args: { seat: Seat; text: string }; gives: null };
  pause: { args: object; gives: null };
  go: { args: object; gives: null };
  step: { args: object; gives: null };
  speed: { args: { speed: number }; gives: null };
  view: { args: { seat: Seat }; gives: AnyView };
  reveal: { args: object; gives: object };
  answer: { args: { ticket: number; answer: NetworkAnswer }; gives: null };
  /** The neural Guide on the CPU: gives the number under which it is asked further. */
  openGuide: { args: { encoder: Uint8Array; head: Uint8Array }; gives: number };
  beginGuide: { args: { guide: number; tiles: Uint8Array }; gives: null };
  /** Fourteen logits and the value. */
  stepGuide: { args: { guide: number; x: number; y: number }; gives: Float32Array };
  /** The same for every tile of a row, had an episode begun there. */
  guideRow: { args: { guide: number; y: number }; gives: Float32Array };
  closeGuide: { args: { guide: number }; gives: null };
}
export type CallName = keyof Calls;

/** A request; answered once under the same number. */
export type Request = { [C in CallName]: { id: number; call: C; args: Calls[C]["args"] } }[CallName];

/** How a request ended badly. */
export type Fault = { kind: "load"; fault: LoadFault } | { kind: "failure"; failure: Failure } | { kind: "crash"; detail: string };

export type Reply =
  | { type: "answer"; id: number; value: unknown }
  | { type: "fault"; id: number; fault: Fault }
  | { type: "progress"; done: number; total: number | null }
  | { type: "note"; text: string }
  | { type: "ready" }
  | { type: "player"; message: PlayerMessage };
