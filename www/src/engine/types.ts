/** The shapes of everything that crosses between the library, the element and the pages. */

/** A step on the board, or none. */
export type Action = "stay" | "right" | "up" | "left" | "down";
/** Column and row, counted from the top left corner. */
export type Cell = [x: number, y: number];
/** A place at the table. In Gnomes at Night seat 0 is the human's, seat 1 the agent's. */
export type Seat = number;
/** Inner walls of one side: cells with a wall to their right, cells with a wall below. */
export interface Walls {
  right: Cell[];
  below: Cell[];
}

/** Something said. */
export interface Message {
  seat: Seat;
  text: string;
  /** From 1. */
  round: number;
  /** Turns of the round taken before it was said. */
  turn: number;
  /** Milliseconds of the session. */
  at: number;
}

/** One turn, as a seat may know it. */
export interface Past {
  round: number;
  /** From 1. */
  turn: number;
  seat: Seat;
  /** What was attempted; only a seat's own attempts are known to it. */
  attempt: Action | null;
  /** How the token moved; null if it did not. */
  moved: Action | null;
  from: Cell;
  to: Cell;
  at: number;
}

/** A round that is over. */
export interface Finished {
  round: number;
  turns: number;
  millis: number;
  /** Null if it was not found. */
  treasure: Cell | null;
}

/** How a game ended. */
export interface Outcome {
  /** Every treasure was found. */
  completed: boolean;
  rounds: { round: number; turns: number; millis: number; reward: number; completed: boolean }[];
  /** The common reward of all rounds. */
  reward: number;
}

/** What one seat may know, and nothing else. */
export interface View {
  world: "gnomes";
  seat: Seat;
  board: string;
  width: number;
  height: number;
  start: Cell;
  /** The seat's own; the border is closed and not listed. */
  walls: Walls;
  token: Cell;
  /** The seat to move; null when the game is over. */
  turn: Seat | null;
  /** From 1. */
  round: number;
  rounds: number;
  /** Turns taken in this round. */
  turns: number;
  /** For the seat it is shown to. */
  treasure: Cell | null;
  treasure_seat: Seat;
  /** Own actions that no wall stops; "stay" always among them. */
  open: Action[];
  messages: Message[];
  history: Past[];
  finished: Finished[];
  outcome: Outcome | null;
}

/** What happened, as a seat may hear of it. */
export type News =
  | { kind: "moved"; seat: Seat; action: Action; from: Cell; to: Cell }
  | { kind: "stayed"; seat: Seat }
  | { kind: "blocked"; seat: Seat; action: Action }
  | { kind: "said"; seat: Seat; text: string }
  | { kind: "found"; round: number; turns: number; millis: number; treasure: Cell }
  | { kind: "unfound"; round: number; turns: number }
  | { kind: "round"; round: number; treasure_seat: Seat }
  | { kind: "over" };

/** Whom a piece of news is for. */
export type Audience = "everyone" | { only: Seat } | { all_but: Seat };
export interface Told {
  to: Audience;
  news: News;
}

/** The whole state; shown after the game, in replays, and where no person plays. */
export interface Reveal {
  width: number;
  height: number;
  start: Cell;
  treasures: Cell[];
  /** The walls of each seat. */
  sides: Walls[];
  token: Cell;
  round: number;
  turn: Seat | null;
  reward: number;
}

/** A child of a search node. */
export interface Branch {
  action: Action;
  visits: number;
  value: number;
  /** Only at the root, where the planner gives one. */
  prior?: number;
}
export interface TreeNode extends Branch {
  children: TreeNode[];
}

/** What a flag may be: a step asked for, or a kind of answer. */
export type Flag = Action | "inquiry" | "accept" | "reject" | "none";

/** An agent's explanation. A planner fills all fields when it moved, the first ones when it only listened. */
export interface Because {
  agent: string;
  heard?: { text: string; flag: Flag }[];
  parser?: string | null;
  /** Where it believes the treasure: cell and probability; null if it is shown the treasure. */
  belief?: [x: number, y: number, probability: number][] | null;
  /** Steps it believes the partner cannot take. */
  hidden?: [x: number, y: number, action: Action][];
  flag_in?: Flag;
  flag_out?: Flag;
  chosen?: Action;
  iterations?: number;
  root?: Branch[];
  replies?: Branch[];
  tree?: TreeNode[];
  [more: string]: unknown;
}

/** An agent's thought, with its place in the trace. */
export interface Thought {
  seat: Seat;
  because: Because;
  /** Milliseconds of the session; not in replays, where the frame has it. */
  at?: number;
}

/** Who sits at a place. */
export type SeatSetup =
  | { kind: "human" }
  | { kind: "agent"; name: string; config?: Record<string, unknown> };

/** What a session is opened with. */
export interface Settings {
  world: "gnomes";
  /** A whole number up to 2^53 - 1; drawn by lot if missing. */
  seed?: number;
  config?: GnomesConfig;
  seats: SeatSetup[];
  /** Milliseconds an agent waits before each thought. */
  pace?: number;
  /** Whatever the page wants to have in the trace's first line. */
  host?: unknown;
}
export interface GnomesConfig {
  /** A name, a level text (it has line ends), or the public JSON layout. */
  board?: string | object;
  first?: 0 | 1;
  max_turns?: number | null;
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
  views: View[];
  reveal: Reveal;
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
  partners: { name: string; note: string }[];
}

/** Messages of the library's player. */
export type PlayerMessage =
  | { type: "view"; views: (View | null)[]; news: Told[]; turn: Seat | null; now: number }
  | { type: "thinking"; seat: Seat }
  | { type: "line"; line: string }
  | { type: "over"; outcome: Outcome; digest: string }
  | { type: "failure"; failure: Failure };
