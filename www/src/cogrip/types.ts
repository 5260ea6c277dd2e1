/** The shapes of CoGRIP-GL, as the library gives them. Seat 0 is the Guide, seat 1 the Follower. */

import type { AnyBecause, AnyView, Said, Seat } from "../engine/types";

export type Color = "red" | "green" | "blue" | "yellow" | "brown" | "purple";
/** Column and row, counted from the top left corner. */
export type Tile = [x: number, y: number];
/** What the Follower can do in a step. */
export type Act = "left" | "right" | "up" | "down" | "wait" | "take";
export type Intent =
  | "silence" | "confirm" | "decline" | "left" | "right" | "up" | "down" | "take"
  | "pcs" | "psc" | "cps" | "csp" | "spc" | "scp";
export type Kind = "silence" | "confirm" | "decline" | "directive" | "reference";
/** What a person does: the Guide says, the Follower does. */
export type Action = { say: Intent } | { do: Act };

/** A piece on the board, as the Guide sees it. */
export interface Piece {
  /** A letter, of nine. */
  shape: string;
  color: Color;
  /** The area it lies in, in words. */
  position: string;
  tiles: Tile[];
}

/** A piece by what can be said of it. */
export interface PieceName {
  shape: string;
  color: Color;
  area: string;
}

/** A tile of the Follower's cut: null beyond the edge of the board, `{}` where no piece lies. */
export type CutTile = null | { color?: Color; shape?: string };

/** What an intent would say now. */
export interface Phrase {
  intent: Intent;
  kind: Kind;
  effort: number;
  /** Empty for silence. */
  sentence: string;
}

export interface GuideSees {
  pieces: Piece[];
  /** Which of them is the target. */
  target: number;
  phrases: Phrase[];
}

export interface FollowerSees {
  /** The area the gripper is in, in words. */
  area: string;
  /** Rows of tiles around the gripper. */
  cut: CutTile[][];
}

export interface Message extends Said {
  /** What the Follower heard. */
  sentence: string;
  round: number;
  /** From 0. */
  step: number;
  at: number;
}

/** A step that is over. */
export interface Past {
  round: number;
  /** From 0. */
  step: number;
  kind: Kind;
  sentence: string;
  /** Only the Follower knows. */
  act: Act | null;
  from: Tile;
  to: Tile;
  at: number;
}

/** A round that is over. */
export interface Finished {
  round: number;
  success: boolean;
  taken: PieceName | null;
  target: PieceName;
  steps: number;
  effort: number;
  reward: number;
  millis: number;
}

export interface Outcome {
  /** Every target was taken. */
  completed: boolean;
  rounds: Finished[];
  /** The mean of the rounds' rewards. */
  reward: number;
}

/** What one seat may know, and nothing else. */
export interface View extends AnyView {
  world: "cogrip";
  /** Tiles along each side of the board. */
  size: number;
  /** From 1. */
  round: number;
  rounds: number;
  /** Steps of this round that are over. */
  step: number;
  most_steps: number;
  gripper: Tile;
  /** The Guide's in this round so far. */
  effort: number;
  /** What the Guide said in this step: empty for silence, null if it has not spoken yet. */
  heard: string | null;
  sees: GuideSees | FollowerSees;
  messages: Message[];
  history: Past[];
  finished: Finished[];
  outcome: Outcome | null;
}

/** What happened, as a seat may hear of it. */
export type News =
  | { kind: "said"; seat: Seat; text: string; sentence: string }
  | { kind: "silence" }
  | { kind: "not_understood"; text: string; answer: string }
  | { kind: "moved"; from: Tile; to: Tile }
  | { kind: "stayed" }
  | { kind: "did"; act: Act }
  | ({ kind: "ended" } & Finished)
  | { kind: "round"; round: number }
  | { kind: "over" };

/** The whole state; shown after the game, in replays, and where no person plays. */
export interface Reveal {
  size: number;
  pieces: Piece[];
  target: number;
  gripper: Tile;
  round: number;
}

/** An agent's explanation: a Guide's intent, or a Follower's plan. */
export interface Because extends AnyBecause {
  intent?: Intent;
  /** How probable the Guide held each intent. */
  distribution?: [Intent, number][];
  /** What the Guide expects of the rest of the round. */
  value?: number;
  /** What computed it, and how long that took. */
  backend?: string;
  millis?: number;
  /** The Follower it was trained with, as its weights are called. */
  weights?: string;
  /** Who spoke in its place, and why. */
  instead?: string;
  fault?: "late" | "absent" | { broken: string };
  /** How fast the Follower loses confidence in its plan. */
  phi?: number;
  /** What it has heard of the target. */
  knows?: { shape: string | null; color: Color | null; area: string | null };
  /** What it means to do next, and with what confidence it will. */
  plan?: [Act, number][];
  /** Where it is going. */
  goal?: Tile | null;
  act?: Act;
}

/** The world's config, as the library reads it. */
export interface CogripConfig {
  /** A name, `random-SIZE-PIECES`, or a line of a task file. */
  board: string;
  rounds: number;
}
