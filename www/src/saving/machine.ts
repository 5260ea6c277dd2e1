/**
 * What is to be sent to the data sink next: a pure machine that knows no clock, no network and no chance.
 *
 * The rows of a trace go out in numbered chunks of whole rows. Where a chunk ends is decided once, before it is sent for
 * the first time, and stays so: a chunk sent again has the same bytes, so the sink can tell a repetition from a fault.
 * One chunk is under way at a time. A row counts as saved when the sink has acknowledged its chunk, and never before.
 *
 * `Mark` is all that must outlive the page. Whoever drives the machine keeps it, with the rows, before each send.
 */

/** Where the chunks end and how many of them are acknowledged. */
export interface Mark {
  /** For each chunk that may have been sent, in order: the number of rows up to its end. */
  ends: number[];
  /** Chunks acknowledged, from the first on. */
  acknowledged: number;
}

/** What is to be done now. */
export type Step =
  | { do: "session" }
  | { do: "send"; chunk: number; body: string; token: string }
  /** Nothing before this moment, in milliseconds; null: not before something happens. */
  | { do: "wait"; until: number | null };

/** How a request ended. */
export type Answer =
  | { kind: "session"; token: string }
  | { kind: "stored"; chunk: number }
  | { kind: "refused"; status: number; code: string; message: string; wanted: number | null; retryAfterMillis: number | null }
  /** No answer came: whether the request arrived, nobody knows. */
  | { kind: "lost" };

/**
 * How saving stands: all rows so far acknowledged; some on their way; waiting for the network; the sink has trouble and
 * is tried again; it refuses for good.
 */
export type State = "saved" | "sending" | "offline" | "trouble" | "refused";

/** How much is where. */
export interface Progress {
  state: State;
  rows: number;
  /** Rows that the sink has acknowledged. */
  acknowledged: number;
  /** What the sink said last, if it refused. */
  message: string | null;
}

/** Rows wait this long for more to come, in milliseconds, while the game is on. */
export const LINGER_MILLIS = 2000;
/** The first pause after a failure, in milliseconds; it doubles up to the longest. Each is drawn from its upper half. */
export const FIRST_PAUSE_MILLIS = 1000;
export const LONGEST_PAUSE_MILLIS = 30_000;
/** A chunk has at most so many UTF-16 units, unless a single row is longer. */
export const CHUNK_UNITS = 128 * 1024;

/** Answers after which the same bytes may be taken later. */
const PASSING = [408, 425, 429, 500, 502, 503, 504, 507];

export class SendMachine {
  readonly #rows: string[] = [];
  readonly #ends: number[];
  readonly #draw: () => number;
  #acknowledged: number;
  #token: string | null = null;
  #online: boolean;
  #over = false;
  #busy = false;
  #failures = 0;
  #renewed = false;
  #notBefore = 0;
  #lingersUntil: number | null = null;
  #trouble = false;
  #refused = false;
  #message: string | null = null;

  /** `draw` gives numbers from 0 to 1, for the pauses. */
  constructor(rows: string[], mark: Mark | null, online: boolean, draw: () => number) {
    this.#rows.push(...rows);
    const ends = mark?.ends.filter((end) => end <= rows.length) ?? [];
    this.#ends = ends;
    this.#acknowledged = Math.min(mark?.acknowledged ?? 0, ends.length);
    this.#online = online;
    this.#draw = draw;
  }

  get mark(): Mark {
    return { ends: [...this.#ends], acknowledged: this.#acknowledged };
  }

  get progress(): Progress {
    return { state: this.#state(), rows: this.#rows.length, acknowledged: this.#acknowledgedRows(), message: this.#message };
  }

  /** Row number `n`; one that is known already changes nothing. */
  add(n: number, row: string, now: number): void {
    if (n > this.#rows.length || this.#rows[n] === row) return;
    if (n < (this.#ends.at(-1) ?? 0)) return this.#contradicted(n);
    this.#rows.length = n;
    this.#rows.push(row);
    this.#lingersUntil ??= now + LINGER_MILLIS;
  }

  /** No more rows are awaited: the last ones need not wait for company. */
  finish(): void {
    this.#over = true;
  }

  /** The browser's word on the network. Coming back, all pauses end. */
  network(online: boolean): void {
    this.#online = online;
    if (!online) return;
    this.#notBefore = 0;
    this.#failures = 0;
  }

  /** By the person's hand: forgets what was refused, and tries at once. */
  retry(): void {
    this.#refused = this.#trouble = false;
    this.#message = null;
    this.#failures = this.#notBefore = 0;
  }

  /** What to do now. A step that asks for a request counts as under way until it is answered. */
  step(now: number): Step {
    const nothing: Step = { do: "wait", until: null };
    if (this.#busy || this.#refused || !this.#online || this.#acknowledgedRows() === this.#rows.length) return nothing;
    if (now < this.#notBefore) return { do: "wait", until: this.#notBefore };
    if (this.#acknowledged === this.#ends.length) {
      if (!this.#over && this.#lingersUntil !== null && now < this.#lingersUntil) return { do: "wait", until: this.#lingersUntil };
      this.#cut();
    }
    this.#busy = true;
    if (this.#token === null) return { do: "session" };
    const chunk = this.#acknowledged;
    return { do: "send", chunk, body: this.#body(chunk), token: this.#token };
  }

  /** The request under way has ended so. */
  answered(answer: Answer, now: number): void {
    this.#busy = false;
    if (answer.kind === "session") {
      this.#token = answer.token;
    } else if (answer.kind === "lost") {
      this.#pause(now, null);
    } else if (answer.kind === "refused") {
      this.#onRefused(answer, now);
    } else if (answer.chunk === this.#acknowledged) {
      this.#acknowledged += 1;
      this.#failures = 0;
      this.#renewed = this.#trouble = false;
      this.#message = null;
    }
  }

  #onRefused(answer: Answer & { kind: "refused" }, now: number): void {
    const { status, code, message, wanted, retryAfterMillis } = answer;
    if (status === 401 && !this.#renewed) {
      // The token has ended, or the sink was started anew with another secret.
      this.#token = null;
      this.#renewed = true;
      return;
    }
    if (code === "gap" && wanted !== null && wanted < this.#acknowledged) {
      // The sink has lost what it had: its word counts. The chunks are cut as they were.
      this.#acknowledged = wanted;
      this.#notBefore = now + FIRST_PAUSE_MILLIS;
      return;
    }
    if (status === 413 && code === "too_large" && this.#halve()) return;
    this.#message = message;
    this.#trouble = true;
    if (status === 401) this.#token = null;
    if (status === 401 || PASSING.includes(status)) this.#pause(now, retryAfterMillis);
    else this.#refused = true;
  }

  #pause(now: number, asked: number | null): void {
    const longest = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** this.#failures);
    this.#failures += 1;
    const drawn = longest * (0.5 + this.#draw() / 2);
    // Later than asked, but not all at the same moment.
    this.#notBefore = now + Math.ceil(asked === null ? drawn : asked + drawn / 4);
  }

  /** A row that may have been sent is another now: what the sink has can no longer become the whole trace. */
  #contradicted(n: number): void {
    this.#refused = true;
    this.#message = `row ${n} was sent already, and is another now`;
  }

  /** Decides where the next chunk ends. */
  #cut(): void {
    let end = this.#ends.at(-1) ?? 0;
    let units = 0;
    do {
      units += (this.#rows[end]?.length ?? 0) + 1;
      end += 1;
    } while (end < this.#rows.length && units + (this.#rows[end]?.length ?? 0) < CHUNK_UNITS);
    this.#ends.push(end);
    this.#lingersUntil = null;
  }

  /** Cuts the chunk that is too large in two; false if it is a single row. It was never stored, so it may be cut anew. */
  #halve(): boolean {
    const begin = this.#ends[this.#acknowledged - 1] ?? 0;
    const end = this.#ends[this.#acknowledged] ?? 0;
    if (end - begin < 2) return false;
    this.#ends.splice(this.#acknowledged, 0, begin + ((end - begin) >> 1));
    return true;
  }

  #body(chunk: number): string {
    const rows = this.#rows.slice(this.#ends[chunk - 1] ?? 0, this.#ends[chunk]);
    return rows.map((row) => `${row}\n`).join("");
  }

  #acknowledgedRows(): number {
    return this.#ends[this.#acknowledged - 1] ?? 0;
  }

  #state(): State {
    if (this.#acknowledgedRows() === this.#rows.length) return "saved";
    if (this.#refused) return "refused";
    if (!this.#online || (this.#failures > 0 && !this.#trouble)) return "offline";
    return this.#trouble ? "trouble" : "sending";
  }
}
