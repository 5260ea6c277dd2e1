/** The page's side of the worker. One engine is one worker; it holds one game or one replay. */

import { en, type Texts } from "../texts/en";
import { crashed, explain } from "./diagnose";
import { probeScript } from "./load";
import { startWorker, type StartedWorker } from "./start-worker";
import type { Calls, CallName, Fault, LoadFault, Reply } from "./protocol";
import type { Failure, Frame, LanguageSettings, NetworkAnswer, PlayerMessage, Seat, Settings, TraceHeader, Verdict, WorldInfo } from "./types";

/** Thrown by everything here: `failure` has code, message and, where there is one, the mend. */
export class EngineError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
    this.name = "EngineError";
  }
}

export interface EngineOptions {
  /** The folder with worker.js and wasm/, ending in a slash. */
  base: string;
  texts?: Texts;
  onProgress?(done: number, total: number | null): void;
  onPlayer?(message: PlayerMessage): void;
  /** The worker is gone. Open a new engine and resume from the lines. */
  onCrash?(failure: Failure): void;
}

interface Waiting {
  gives(value: unknown): void;
  fails(error: EngineError): void;
}

export class Engine {
  readonly #started: StartedWorker;
  readonly #options: EngineOptions;
  readonly #texts: Texts;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #ready = false;
  #gone: EngineError | null = null;
  #violation: string | null = null;

  /** Starts the worker and loads the library. */
  static async open(options: EngineOptions): Promise<{ engine: Engine; version: string; worlds: WorldInfo[] }> {
    const engine = new Engine(options);
    document.addEventListener("securitypolicyviolation", engine.#onViolation);
    try {
      const { version, worlds } = await engine.#call("load", { base: options.base });
      return { engine, version, worlds };
    } catch (error) {
      engine.close();
      throw error;
    } finally {
      document.removeEventListener("securitypolicyviolation", engine.#onViolation);
    }
  }

  private constructor(options: EngineOptions) {
    this.#options = options;
    this.#texts = options.texts ?? en;
    const url = new URL("worker.js", options.base).href;
    try {
      this.#started = startWorker(url, "tandem");
    } catch (error) {
      throw this.#loadError({ cause: "csp-worker", url, detail: String(error) });
    }
    const { worker } = this.#started;
    worker.addEventListener("message", (event: MessageEvent<Reply>) => this.#onReply(event.data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      void this.#onError(url, event.message);
    });
  }

  play(settings: Settings): Promise<null> {
    return this.#call("play", { settings });
  }
  /** Opens a game as its trace left it. */
  resume(trace: string, language?: LanguageSettings): Promise<null> {
    return this.#call("resume", { trace, language });
  }
  act(seat: Seat, action: unknown): Promise<null> {
    return this.#call("act", { seat, action });
  }
  say(seat: Seat, text: string): Promise<null> {
    return this.#call("say", { seat, text });
  }
  pause(): Promise<null> {
    return this.#call("pause", {});
  }
  go(): Promise<null> {
    return this.#call("go", {});
  }
  /** Does the next thing that is due, also while paused. */
  step(): Promise<null> {
    return this.#call("step", {});
  }
  speed(speed: number): Promise<null> {
    return this.#call("speed", { speed });
  }
  reveal(): Promise<object> {
    return this.#call("reveal", {});
  }
  /** Answers what an agent asked. */
  answer(ticket: number, answer: NetworkAnswer): Promise<null> {
    return this.#call("answer", { ticket, answer });
  }
  /** Opens the neural Guide on the CPU from weights files. */
  openGuide(encoder: Uint8Array, head: Uint8Array): Promise<number> {
    return this.#call("openGuide", { encoder, head });
  }
  beginGuide(guide: number, tiles: Uint8Array): Promise<null> {
    return this.#call("beginGuide", { guide, tiles });
  }
  stepGuide(guide: number, x: number, y: number): Promise<Float32Array> {
    return this.#call("stepGuide", { guide, x, y });
  }
  guideRow(guide: number, y: number): Promise<Float32Array> {
    return this.#call("guideRow", { guide, y });
  }
  closeGuide(guide: number): Promise<null> {
    return this.#call("closeGuide", { guide });
  }
  replay(trace: string): Promise<Calls["replay"]["gives"]> {
    return this.#call("replay", { trace });
  }
  frame(index: number): Promise<Frame> {
    return this.#call("frame", { index });
  }

  /** Ends the worker. Whatever is still waiting is refused. */
  close(): void {
    this.#end(new EngineError({ code: "closed", message: "the game was closed" }));
  }

  #call<C extends CallName>(call: C, args: Calls[C]["args"]): Promise<Calls[C]["gives"]> {
    return new Promise((resolve, reject) => {
      if (this.#gone) return reject(this.#gone);
      const id = this.#next++;
      this.#waiting.set(id, { gives: (value) => resolve(value as Calls[C]["gives"]), fails: reject });
      this.#started.worker.postMessage({ id, call, args });
    });
  }

  #onReply(reply: Reply): void {
    if (this.#gone) return;
    switch (reply.type) {
      case "ready":
        this.#ready = true;
        return;
      case "progress":
        return this.#options.onProgress?.(reply.done, reply.total);
      case "note":
        return console.info(`tandem: ${reply.text}`);
      case "player":
        return this.#options.onPlayer?.(reply.message);
      case "answer":
        return this.#take(reply.id)?.gives(reply.value);
      case "fault":
        return this.#onFault(reply.id, reply.fault);
    }
  }

  #onFault(id: number, fault: Fault): void {
    if (fault.kind === "crash") return this.#crash(fault.detail);
    const error = fault.kind === "load" ? this.#loadError(this.#sharpen(fault.fault)) : new EngineError(fault.failure);
    this.#take(id)?.fails(error);
  }

  /** The worker's own uncaught error: before it is ready it did not load, afterwards the library broke. */
  async #onError(url: string, message: string | undefined): Promise<void> {
    if (this.#gone) return;
    if (this.#ready) return this.#crash(message ?? "unknown");
    // The browser may report a violated policy only after the error: by the time the script was looked at, it has.
    const fault = await probeScript(url, message ?? "the worker did not start");
    const blocked = this.#violation;
    this.#end(this.#loadError(blocked ? { cause: "csp-worker", url, detail: blocked } : this.#sharpen(fault)));
  }

  #onViolation = (event: SecurityPolicyViolationEvent): void => {
    if (/^(worker|child|script|default)-src/.test(event.violatedDirective)) this.#violation = event.violatedDirective;
  };

  #sharpen(fault: LoadFault): LoadFault {
    return location.protocol === "file:" ? { ...fault, cause: "file" } : fault;
  }

  #crash(detail: string): void {
    const failure = crashed(detail, this.#texts);
    this.#end(new EngineError(failure));
    this.#options.onCrash?.(failure);
  }

  #end(error: EngineError): void {
    if (this.#gone) return;
    this.#gone = error;
    this.#started.end();
    for (const waiting of this.#waiting.values()) waiting.fails(error);
    this.#waiting.clear();
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #loadError(fault: LoadFault): EngineError {
    return new EngineError(explain(fault, this.#texts));
  }
}

/** A trace that was checked and can be looked through. */
export interface ReplayHandle {
  header: TraceHeader;
  /** Number of frames; frame 0 is the start. */
  length: number;
  verdict: Verdict;
  frame(index: number): Promise<Frame>;
  close(): void;
}

/**
 * Checks a trace and opens it for looking through. `base` is the folder with worker.js.
 * Throws an `EngineError`; its failure names the line and the reason where the trace is at fault.
 */
export async function openReplay(
  text: string,
  base: string = new URL("pkg/", document.baseURI).href,
  options: Omit<EngineOptions, "base" | "onPlayer"> = {},
): Promise<ReplayHandle> {
  const { engine } = await Engine.open({ ...options, base });
  try {
    const opened = await engine.replay(text);
    return { ...opened, frame: (index) => engine.frame(index), close: () => engine.close() };
  } catch (error) {
    engine.close();
    throw error;
  }
}

/** The failure inside anything thrown here. */
export function failureOf(error: unknown): Failure {
  if (error instanceof EngineError) return error.failure;
  return { code: "internal", message: error instanceof Error ? error.message : String(error) };
}
