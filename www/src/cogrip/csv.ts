import type { Finished, Outcome, PieceName } from "./types";

/** The rounds as a table that programs read. */
export function csv({ rounds }: Outcome): string {
  const piece = (piece: PieceName | null) => (piece ? `${piece.color} ${piece.shape} ${piece.area}` : "");
  const row = (round: Finished) =>
    [round.round, round.success, piece(round.taken), piece(round.target), round.steps, round.effort.toFixed(1), round.reward, (round.millis / 1000).toFixed(1)].join(",");
  return `${["round,success,taken,target,steps,effort,reward,seconds", ...rounds.map(row)].join("\n")}\n`;
}
