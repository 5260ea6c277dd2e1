/** The shapes of everything that crosses between the library, the element and the pages. */

/** A place at the table. */
export type Seat = number;
/** Something said. */
export interface Said {
  seat: Seat;
  text: string;
}

/** What one seat may know. Every world adds its own; `gnomes/types.ts` and `cogrip/types.ts` say what. */
export interface AnyView {
  world: string;
  seat: Seat;
  board: string;
  /** The seat to move; null when the game is over. */
  turn: Seat | null;
  messages: Said[];
  /** How the game ended; null until then. */
  outcome: object | null;
}

/** What happened, as a seat may hear of it. `kind` says what else there is. */
export interface AnyNews {
  kind: string;
}

/** An agent's explanation. */
export interface AnyBecause {
  agent: string;
  [more: string]: unknown;
}

/** Whom a piece of news is for. */
export type Audience = "everyone" | { only: Seat } | { all_but: Seat };
export interface Told<News extends AnyNews = AnyNews> {
  to: Audience;
  news: News;
}

/** An agent's thought, with its place in the trace. */
export interface Thought {
  seat: Seat;
  because: AnyBecause;
  /** Milliseconds of the session; not in replays, where the frame has it. */
  at?: number;
}

/** Who sits at a place. */
export type SeatSetup =
  | { kind: "human" }
  | { kind: "agent"; name: string; config?: Record<string, unknown> };

/** What a session is opened with. */
export interface Settings {
  world: string;
  /** A whole number up to 2^53 - 1; drawn by lot if missing. */
  seed?: number;
  /** The world's own. */
  config?: object;
  seats: SeatSetup[];
  /** Milliseconds an agent waits before each thought. */
  pace?: number;
  /** Whatever the page wants to have in the trace's first line. */
  host?: unknown;
  /** Where agents ask language models; stands in no trace. */
  language?: LanguageSettings;
}
/** An endpoint that speaks the chat-completions form. */
export interface LanguageSettings {
  endpoint: string;
  token?: string;
}
/** What went wrong. `code` is for programs, `message` for people; `mend` says what can be done. */
export interface Failure {
  /** From the library: config, illegal, over, trace, hidden, internal. From the page: load, crash, storage, attribute. */
  code: string;
  message: string;
  field?: string;
  /** The line of the trace that is wrong, from 1. */
  line?: number;
  mend?: string;
}

/** The first line of a trace. */
export interface TraceHeader {
  trace: string;
  world: string;
  rules: string;
  library: string;
  seed: number;
  config: { board?: unknown; [more: string]: unknown };
  seats: SeatSetup[];
  pace: number;
  host?: unknown;
}

/** A replay at one moment. */
export interface Frame {
  at: number;
  /** The line of the file that led here, from 1. */
  line: number;
  event: { event: string; [more: string]: unknown } | null;
  views: AnyView[];
  /** The whole state. */
  reveal: object;
  thoughts: Thought[];
  news: Told[];
}
export interface Verdict {
  complete: boolean;
  cut: boolean;
  digest: string;
  matches: boolean | null;
  note: string;
}

/** A world as the library offers it. */
export interface WorldInfo {
  name: string;
  title: string;
  rules: string;
  boards: { name: string; width: number; height: number; rounds: number; note: string }[];
  /** `seat`: the only one where it may sit. */
  partners: { name: string; note: string; seat?: Seat }[];
}

/** The answer to what an agent asks the page. */
export type NetworkAnswer = { reply: unknown } | { failed: "absent" | { broken: string } };

/** Messages of the library's player. */
export type PlayerMessage =
  | { type: "view"; views: (AnyView | null)[]; news: Told[]; turn: Seat | null; now: number }
  | { type: "thinking"; seat: Seat }
  | { type: "line"; line: string }
  | { type: "over"; outcome: object; digest: string }
  /** An agent asks: to be answered under the ticket within so many milliseconds of the session. */
  | { type: "ask"; ticket: number; question: { seat: Seat; to: string; body: unknown; within: number } }
  | { type: "failure"; failure: Failure };
