/** Drives the machine: asks it for the next step, does it, and tells it what came of it. One saver for one game. */

import { SendMachine, type Answer, type Mark, type Progress } from "./machine";

/** What the saver needs of the sink. */
export interface Wire {
  session(): Promise<Answer>;
  chunk(session: string, chunk: number, body: string, token: string): Promise<Answer>;
}

/** What the saver needs of the journal. */
export interface Keeper {
  /** The session's name at the sink. */
  readonly id: string;
  /** Resolves when all rows so far and this mark are kept, or cannot be. */
  keep(mark: Mark): Promise<void>;
}

export class Saver {
  readonly #machine: SendMachine;
  readonly #wire: Wire;
  readonly #keeper: Keeper;
  readonly #changed: () => void;
  #wake: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Resolves when the saver has stopped. */
  readonly stopped: Promise<void>;
  #untilSaved = false;

  constructor(rows: string[], mark: Mark | null, wire: Wire, keeper: Keeper, changed: () => void) {
    this.#machine = new SendMachine(rows, mark, navigator.onLine !== false, Math.random);
    this.#wire = wire;
    this.#keeper = keeper;
    this.#changed = changed;
    globalThis.addEventListener?.("online", this.#onNetwork);
    globalThis.addEventListener?.("offline", this.#onNetwork);
    this.stopped = this.#run();
  }

  /** The session's name at the sink. */
  get session(): string {
    return this.#keeper.id;
  }

  get progress(): Progress {
    return this.#machine.progress;
  }

  add(n: number, row: string): void {
    this.#machine.add(n, row, Date.now());
    this.#poke();
  }

  /** The game is over. */
  finish(): void {
    this.#machine.finish();
    this.#poke();
  }

  /** By the person's hand, after a refusal. */
  retry(): void {
    this.#machine.retry();
    this.#poke();
  }

  /** Goes on in the background until all is saved, then stops. */
  leave(): void {
    this.#untilSaved = true;
    this.finish();
  }

  /** Sends nothing more; what is under way is no longer awaited by anybody. */
  close(): void {
    this.#closed = true;
    this.#poke();
  }

  readonly #onNetwork = (event: Event): void => {
    this.#machine.network(event.type === "online");
    this.#poke();
  };

  #poke(): void {
    this.#changed();
    this.#wake?.();
  }

  async #run(): Promise<void> {
    // From now on the journal knows that this game is to be saved, even if it never gets to send anything.
    await this.#keeper.keep(this.#machine.mark);
    while (!this.#closed) {
      if (this.#untilSaved && this.progress.state === "saved") break;
      const step = this.#machine.step(Date.now());
      if (step.do === "wait") {
        await this.#sleep(step.until);
        continue;
      }
      // Where a chunk ends must be kept before it is sent, or another page might cut it otherwise.
      await this.#keeper.keep(this.#machine.mark);
      if (this.#closed) break;
      const { id } = this.#keeper;
      const answer = await (step.do === "session"
        ? this.#wire.session()
        : this.#wire.chunk(id, step.chunk, step.body, step.token));
      this.#machine.answered(answer, Date.now());
      if (answer.kind === "stored") await this.#keeper.keep(this.#machine.mark);
      this.#changed();
    }
    globalThis.removeEventListener?.("online", this.#onNetwork);
    globalThis.removeEventListener?.("offline", this.#onNetwork);
  }

  async #sleep(until: number | null): Promise<void> {
    await new Promise<void>((wake) => {
      this.#wake = wake;
      if (until !== null) this.#timer = setTimeout(wake, Math.max(0, until - Date.now()));
    });
    clearTimeout(this.#timer);
    this.#wake = null;
  }
}
