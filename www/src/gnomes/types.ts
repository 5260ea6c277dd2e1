/** The shapes of Gnomes at Night, as the library gives them. */

import type { AnyBecause, AnyView, Said, Seat } from "../engine/types";

/** A step on the board, or none. */
export type Action = "stay" | "right" | "up" | "left" | "down";
/** Column and row, counted from the top left corner. */
export type Cell = [x: number, y: number];
/** Inner walls of one side: cells with a wall to their right, cells with a wall below. */
export interface Walls {
  right: Cell[];
  below: Cell[];
}

/** Something said, and when. */
export interface Message extends Said {
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
export interface View extends AnyView {
  world: "gnomes";
  width: number;
  height: number;
  start: Cell;
  /** The seat's own; the border is closed and not listed. */
  walls: Walls;
  token: Cell;
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
  /** How likely the search held it beforehand. */
  prior?: number;
}
export interface TreeNode extends Branch {
  children: TreeNode[];
}

/** What a flag may be: a step asked for, or a kind of answer. */
export type Flag = Action | "inquiry" | "accept" | "reject" | "none";

/** A message and its reading. The last four are there where a language model may read. */
export interface Heard {
  text: string;
  flag: Flag;
  /** The model's name, or "embedded". */
  by?: string;
  /** Why it was not the model. */
  fault?: string;
  /** The same of the answer, where it was a question. */
  answered_by?: string;
  answer_fault?: string;
}

/** An agent's explanation. A planner fills all fields when it moved, the first ones when it only listened. */
export interface Because extends AnyBecause {
  heard?: Heard[];
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
}

/** The world's config, as the library reads it. */
export interface GnomesConfig {
  /** A name, a level text (it has line ends), or the public JSON layout. */
  board?: string | object;
  first?: 0 | 1;
  max_turns?: number | null;
}

