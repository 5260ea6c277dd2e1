import { describe as group, expect, test } from "vitest";
import { en } from "../texts/en";
import { csv } from "./csv";
import { entries } from "./talk";
import type { Finished, Message, News, Past, View } from "./types";
import { describe, endedWords, happened } from "./words";

const target = { shape: "T", color: "red", area: "top left" } as const;
const ended: Finished = { round: 1, success: false, taken: { ...target, color: "blue" }, target, steps: 5, effort: 2.4, reward: -1.5, millis: 1234 };

function past(step: number, sentence: string, round = 1): Past {
  return { round, step, kind: sentence ? "reference" : "silence", sentence, act: "left", from: [1, 1], to: [0, 1], at: 0 };
}
function message(step: number, text: string, round = 1): Message {
  return { seat: 0, text, sentence: text, round, step, at: 0 };
}
const view: View = {
  world: "cogrip", seat: 1, board: "first", turn: 1, size: 21, round: 1, rounds: 1, step: 0, most_steps: 30, gripper: [10, 10],
  effort: 0, heard: null, sees: { area: "center", cut: [[{}]] }, messages: [], history: [], finished: [], outcome: null,
};

group("the talk", () => {
  test("counts silences and keeps the order", () => {
    const history = [past(0, "Take the T"), past(1, ""), past(2, ""), past(3, "Yes")];
    const messages = [message(0, "Take the T"), message(3, "Yes"), message(4, "Go left")];
    const said = entries({ ...view, history, messages, step: 4, heard: "Go left" });
    expect(said.map(({ kind }) => kind)).toEqual(["said", "silence", "said", "said"]);
    expect(said[1]).toEqual({ kind: "silence", steps: 2 });
  });

  test("has nothing of a step in which the Guide has not spoken, and its silence once it is one", () => {
    expect(entries(view)).toEqual([]);
    expect(entries({ ...view, heard: "" })).toEqual([{ kind: "silence", steps: 1 }]);
  });

  test("puts what was not understood before what was said next", () => {
    const puzzle = { round: 1, step: 0, text: "hm", answer: "What?" };
    expect(entries({ ...view, messages: [message(0, "Yes")], heard: "Yes" }, [puzzle]).map(({ kind }) => kind)).toEqual(["puzzle", "said"]);
  });

  test("names rounds where there are several, and ends with the game", () => {
    const history = [past(0, "", 1), past(0, "", 2)];
    const all = entries({ ...view, rounds: 2, round: 2, step: 1, turn: null, history });
    expect(all.map(({ kind }) => kind)).toEqual(["round", "silence", "round", "silence"]);
  });
});

group("words", () => {
  test("an end names both pieces, or the time", () => {
    expect(endedWords(ended, en)).toBe("The blue T at top left was taken, but the target was the red T at top left.");
    expect(endedWords({ ...ended, taken: null }, en)).toContain("5 steps");
    expect(endedWords({ ...ended, success: true, taken: target }, en)).toContain("the target");
  });

  test("a Follower learns why the gripper stayed, a Guide only that it did", () => {
    const after = (act: Past["act"]) => ({ ...view, history: [{ ...past(0, ""), act }] });
    expect(happened([{ kind: "stayed" }], after("take"), en)).toEqual([en.gripTookNothing]);
    expect(happened([{ kind: "stayed" }], after("left"), en)).toEqual([en.gripAtEdge]);
    const guide = { ...after(null), seat: 0, sees: { pieces: [], target: 0, phrases: [] } };
    expect(happened([{ kind: "stayed" }], guide, en)).toEqual([en.gripStayed]);
  });

  test("a replay says what each step did", () => {
    const say = (...news: News[]) => describe({ event: "act" }, news, [view]);
    expect(describe(null, [], [])).toContain("start");
    expect(say({ kind: "said", seat: 0, text: "da links", sentence: "Go left" })).toContain("heard as “Go left”");
    expect(say({ kind: "silence" })).toContain("nothing");
    expect(say({ kind: "not_understood", text: "hm", answer: "" })).toContain("not understood");
    expect(say({ kind: "did", act: "up" }, { kind: "moved", from: [1, 1], to: [1, 0] })).toBe("The Follower goes up.");
    expect(say({ kind: "did", act: "up" }, { kind: "stayed" })).toContain("edge");
    expect(say({ kind: "did", act: "take" }, { kind: "stayed" }, { kind: "ended", ...ended })).toBe("The Follower takes. It is the blue T at top left, not the red T at top left.");
  });
});

test("the rounds as CSV", () => {
  expect(csv({ completed: false, reward: -1.5, rounds: [ended, { ...ended, round: 2, taken: null }] })).toBe(
    "round,success,taken,target,steps,effort,reward,seconds\n" +
      "1,false,blue T top left,red T top left,5,2.4,-1.5,1.2\n2,false,,red T top left,5,2.4,-1.5,1.2\n",
  );
});
