/**
 * Loading the library inside the worker, so that whatever stands in its way is found and named.
 *
 * The wasm file is fetched as bytes and instantiated from them: a wrong MIME type then does no harm, a page that came
 * in its place is recognised, and the bytes can be counted as they come.
 */

import type { LoadFault } from "./protocol";
import { readAll } from "./read-all";
import type { Failure, Frame, LanguageSettings, NetworkAnswer, PlayerMessage, Settings, TraceHeader, Verdict, AnyView, WorldInfo } from "./types";

/** The library's bindings as far as the worker uses them. */
export interface Library {
  default(options: { module_or_path: BufferSource }): Promise<unknown>;
  version(): string;
  worlds(): WorldInfo[];
  Player: {
    new (settings: Settings, tell: (message: PlayerMessage) => void): Player;
    resume(trace: string, tell: (message: PlayerMessage) => void, language?: LanguageSettings): Player;
  };
  Replay: new (trace: string) => Replay;
  CpuGuide: new (encoder: Uint8Array, head: Uint8Array) => CpuGuide;
}
export interface Player {
  act(seat: number, action: unknown): void;
  say(seat: number, text: string): void;
  pause(): void;
  go(): void;
  step(): void;
  set_speed(speed: number): void;
  view(seat: number): AnyView;
  reveal(): object;
  trace(): string;
  answer(ticket: number, answer: NetworkAnswer): void;
  free(): void;
}
/** The neural Guide: `step` gives fourteen logits and the value, `row` the same for each tile of a row. */
export interface CpuGuide {
  begin(tiles: Uint8Array): void;
  step(x: number, y: number): Float32Array;
  row(y: number): Float32Array;
  free(): void;
}
export interface Replay {
  header(): TraceHeader;
  length(): number;
  frame(index: number): Frame;
  verdict(): Verdict;
  free(): void;
}

/** Thrown when the library cannot be loaded. */
export class LoadError extends Error {
  constructor(readonly fault: LoadFault) {
    super(fault.detail);
  }
}

interface Listener {
  progress(done: number, total: number | null): void;
  note(text: string): void;
}

/** Loads the bindings and the wasm file under `base`, both at once. */
export async function loadLibrary(base: string, listener: Listener): Promise<Library> {
  const script = new URL("wasm/tandem.js", base).href;
  const wasm = new URL("wasm/tandem_bg.wasm", base).href;
  const [library, bytes] = await Promise.all([loadBindings(script), fetchWasm(wasm, listener)]);
  try {
    await library.default({ module_or_path: bytes });
  } catch (error) {
    throw new LoadError(refusal(wasm, bytes, error));
  }
  return library;
}

async function loadBindings(url: string): Promise<Library> {
  try {
    return (await import(/* @vite-ignore */ url)) as Library;
  } catch (error) {
    throw new LoadError(await probeScript(url, String(error)));
  }
}

/** Looks at a script that did not load, to say why. */
export async function probeScript(url: string, detail: string): Promise<LoadFault> {
  let response: Response;
  try {
    response = await fetch(url, { cache: "no-store" });
  } catch {
    return unreachable(url, detail);
  }
  if (!response.ok) return badStatus(url, response);
  const type = response.headers.get("content-type") ?? "no type";
  if (/html/i.test(type)) return { cause: "html", url, detail: type };
  if (!/(java|ecma)script/i.test(type)) return { cause: "mime-script", url, detail: type };
  return { cause: "unknown", url, detail };
}

async function fetchWasm(url: string, listener: Listener): Promise<Uint8Array<ArrayBuffer>> {
  let response: Response;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    response = await fetch(url);
    if (!response.ok) throw new LoadError(badStatus(url, response));
    bytes = await readAll(response, (done, total) => listener.progress(done, total));
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError(unreachable(url, String(error)));
  }
  const type = response.headers.get("content-type") ?? "no type";
  if (!isWasm(bytes)) {
    const html = /html/i.test(type) || startsLikeHtml(bytes);
    throw new LoadError({ cause: html ? "html" : "damaged", url, detail: `${type}, ${bytes.length} bytes` });
  }
  if (!/^application\/wasm\b/i.test(type)) {
    listener.note(`${url} came as ${type}; it works, but a server should send .wasm files as application/wasm.`);
  }
  return bytes;
}

/** Why the browser would not take whole, readable bytes. */
function refusal(url: string, bytes: BufferSource, error: unknown): LoadFault {
  const detail = String(error);
  if (/content security policy|disallowed by embedder|unsafe-eval/i.test(detail)) return { cause: "csp-wasm", url, detail };
  let valid = true;
  try {
    valid = WebAssembly.validate(bytes);
  } catch {
    // A policy may forbid even this.
  }
  if (!(error instanceof WebAssembly.CompileError)) return { cause: "unknown", url, detail };
  if (valid) return { cause: "csp-wasm", url, detail };
  // Cut short, or with instructions that this browser does not know.
  return { cause: /opcode|simd|unsupported|not supported|disabled/i.test(detail) ? "old" : "damaged", url, detail };
}

function badStatus(url: string, response: Response): LoadFault {
  const detail = `${response.status} ${response.statusText}`.trim();
  return { cause: response.status === 404 || response.status === 410 ? "missing" : "status", url, detail };
}

function unreachable(url: string, detail: string): LoadFault {
  if (url.startsWith("file:")) return { cause: "file", url, detail };
  return { cause: navigator.onLine === false ? "offline" : "network", url, detail };
}

function isWasm(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

function startsLikeHtml(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html|head|body|!--)/i.test(new TextDecoder().decode(bytes.subarray(0, 200)));
}

/** What the library throws, or anything else as one. */
export function asFailure(error: unknown): Failure | null {
  const failure = error as Partial<Failure> | null;
  const has = typeof failure === "object" && typeof failure?.code === "string" && typeof failure.message === "string";
  return has ? (failure as Failure) : null;
}
