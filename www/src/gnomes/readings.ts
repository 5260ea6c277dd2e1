/** Who read the messages, and who answered: the embedded parser or a language model. */

import { fill, type Texts } from "../texts/en";
import type { Thought } from "../engine/types";
import type { Because, Heard } from "./types";

export type Reading = Omit<Heard, "text" | "flag">;

/**
 * The readings of a person's messages, one after another, out of the partner's explanations. Each explanation has all
 * that was heard since the partner's last move, so that it repeats what the one before had.
 */
export function readings(thoughts: Thought[]): Reading[] {
  const before: Heard[] = [];
  let since: Heard[] = [];
  for (const because of thoughts.map((thought) => thought.because as Because)) {
    if (!because.heard) continue;
    since = because.heard;
    if (because.chosen === undefined) continue;
    before.push(...since);
    since = [];
  }
  return [...before, ...since].filter(({ by }) => by !== undefined);
}

/** "read by small-chat", "read by embedded: no reply in time". */
export function readBy({ by, fault, answered_by, answer_fault }: Reading, texts: Texts): string {
  const words = (text: string, who: string, why: string | undefined) => fill(text, { who: why ? `${who} (${why})` : who });
  const read = words(texts.readBy, by ?? "", fault);
  return answered_by === undefined ? read : `${read}, ${words(texts.answeredBy, answered_by, answer_fault)}`;
}
