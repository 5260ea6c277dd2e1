import { describe, expect, test } from "vitest";
import type { Thought } from "../engine/types";
import { en } from "../texts/en";
import { readBy, readings } from "./readings";
import type { Heard } from "./types";

const heard = (text: string, by?: string): Heard => ({ text, flag: "left", ...(by ? { by } : {}) });
const thought = (heard: Heard[], chosen?: string): Thought => ({ seat: 1, because: { agent: "comm", heard, chosen } });

describe("readings", () => {
  test("each message has one, though explanations repeat what was heard", () => {
    const [a, b, c] = [heard("left", "small"), heard("left", "embedded"), heard("left", "small")];
    const found = readings([thought([a]), thought([a, b]), thought([a, b], "up"), thought([], "up"), thought([c])]);
    expect(found.map(({ by }) => by)).toEqual(["small", "embedded", "small"]);
  });

  test("there are none where no model may read", () => {
    expect(readings([thought([heard("left")], "left"), { seat: 1, because: { agent: "random" } }])).toEqual([]);
  });

  test("say who, and why it was not the model", () => {
    expect(readBy({ by: "small" }, en)).toBe("read by small");
    expect(readBy({ by: "embedded", fault: "no reply in time" }, en)).toBe("read by embedded (no reply in time)");
    expect(readBy({ by: "small", answered_by: "small" }, en)).toBe("read by small, answered by small");
  });
});
