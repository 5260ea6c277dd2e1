import { describe, expect, test } from "vitest";
import { CHUNK_UNITS, FIRST_PAUSE_MILLIS, LINGER_MILLIS, LONGEST_PAUSE_MILLIS, SendMachine, type Answer, type Mark } from "./machine";

const row = (n: number, more = "") => `{"n":${n}${more}}`;
const refused = (status: number, more: Partial<Answer & { kind: "refused" }> = {}): Answer => ({
  kind: "refused", status, code: "", message: "no", wanted: null, retryAfterMillis: null, ...more,
});

/** A machine with so many rows, which has its token. */
function ready(rows: number, mark: Mark | null = null): SendMachine {
  const machine = new SendMachine(Array.from({ length: rows }, (_, n) => row(n)), mark, true, () => 1);
  expect(machine.step(0)).toEqual({ do: "session" });
  machine.answered({ kind: "session", token: "t" }, 0);
  return machine;
}

function sent(machine: SendMachine, now: number) {
  const step = machine.step(now);
  if (step.do !== "send") throw new Error(`to send was expected, not ${JSON.stringify(step)}`);
  return step;
}

describe("a machine", () => {
  test("says saved only once the sink has acknowledged the last row", () => {
    const machine = ready(2);
    expect(machine.progress).toMatchObject({ state: "sending", acknowledged: 0 });
    expect(sent(machine, 0)).toMatchObject({ chunk: 0, body: '{"n":0}\n{"n":1}\n', token: "t" });
    expect(machine.progress.state).toBe("sending");
    machine.answered({ kind: "stored", chunk: 0 }, 0);
    expect(machine.progress).toMatchObject({ state: "saved", rows: 2, acknowledged: 2 });
    machine.add(2, row(2), 0);
    expect(machine.progress).toMatchObject({ state: "sending", rows: 3, acknowledged: 2 });
  });

  test("waits for company while the game is on, and not when it is over", () => {
    const machine = ready(1);
    sent(machine, 0);
    machine.answered({ kind: "stored", chunk: 0 }, 0);
    machine.add(1, row(1), 100);
    machine.add(2, row(2), 900);
    expect(machine.step(1000)).toEqual({ do: "wait", until: 100 + LINGER_MILLIS });
    machine.finish();
    expect(sent(machine, 1000).body).toBe('{"n":1}\n{"n":2}\n');
  });

  test("sends the very same bytes again after a loss, however many rows have come since", () => {
    const machine = ready(2);
    const first = sent(machine, 0);
    machine.add(2, row(2), 0);
    machine.answered({ kind: "lost" }, 0);
    expect(machine.progress.state).toBe("offline");
    expect(machine.step(0)).toEqual({ do: "wait", until: FIRST_PAUSE_MILLIS });
    expect(sent(machine, FIRST_PAUSE_MILLIS)).toEqual(first);
  });

  test("goes on after a reload from its mark, with the chunks as they were cut", () => {
    const machine = ready(2);
    const first = sent(machine, 0);
    const again = ready(5, machine.mark);
    expect(sent(again, 0)).toEqual(first);
    again.answered({ kind: "stored", chunk: 0 }, 0);
    again.finish();
    expect(sent(again, 0)).toMatchObject({ chunk: 1, body: '{"n":2}\n{"n":3}\n{"n":4}\n' });
  });

  test("does nothing without the network, and tries at once when it is back", () => {
    const machine = ready(1);
    sent(machine, 0);
    machine.answered({ kind: "lost" }, 0);
    machine.network(false);
    expect(machine.step(1e9)).toEqual({ do: "wait", until: null });
    expect(machine.progress.state).toBe("offline");
    machine.network(true);
    expect(sent(machine, 1).chunk).toBe(0);
  });

  test("waits longer after each failure, up to a limit, and no less than it is asked to", () => {
    const machine = ready(1);
    let now = 0;
    const pauses = [1, 2, 3, 4, 5, 6, 7].map(() => {
      sent(machine, now);
      machine.answered(refused(500), now);
      const step = machine.step(now);
      const until = step.do === "wait" ? (step.until ?? 0) : 0;
      const pause = until - now;
      now = until;
      return pause;
    });
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, LONGEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS]);
    expect(machine.progress).toMatchObject({ state: "trouble", message: "no" });
    sent(machine, now);
    machine.answered(refused(429, { retryAfterMillis: 90_000 }), now);
    const step = machine.step(now);
    expect(step.do === "wait" && step.until !== null && step.until >= now + 90_000).toBe(true);
  });

  test("asks once for another token when one has ended, then only after a pause", () => {
    const machine = ready(1);
    sent(machine, 0);
    machine.answered(refused(401), 0);
    expect(machine.step(0)).toEqual({ do: "session" });
    machine.answered({ kind: "session", token: "u" }, 0);
    expect(sent(machine, 0).token).toBe("u");
    machine.answered(refused(401), 0);
    expect(machine.step(0)).toEqual({ do: "wait", until: FIRST_PAUSE_MILLIS });
  });

  test("sends again what the sink says it lacks, and takes its saving back", () => {
    const machine = ready(1);
    const first = sent(machine, 0);
    machine.answered({ kind: "stored", chunk: 0 }, 0);
    machine.add(1, row(1), 0);
    machine.finish();
    const second = sent(machine, 0);
    machine.answered(refused(422, { code: "gap", wanted: 0 }), 0);
    expect(machine.progress.acknowledged).toBe(0);
    expect(sent(machine, FIRST_PAUSE_MILLIS)).toEqual(first);
    machine.answered({ kind: "stored", chunk: 0 }, 0);
    expect(sent(machine, FIRST_PAUSE_MILLIS)).toEqual(second);
  });

  test("halves a chunk that is too large, and gives up on a single row", () => {
    const machine = ready(3);
    sent(machine, 0);
    const tooLarge = refused(413, { code: "too_large" });
    machine.answered(tooLarge, 0);
    expect(sent(machine, 0).body).toBe('{"n":0}\n');
    machine.answered({ kind: "stored", chunk: 0 }, 0);
    expect(sent(machine, 0).body).toBe('{"n":1}\n{"n":2}\n');
    machine.answered(tooLarge, 0);
    expect(sent(machine, 0).body).toBe('{"n":1}\n');
    machine.answered(tooLarge, 0);
    expect(machine.progress.state).toBe("refused");
  });

  test.each([[400, ""], [403, "no_study"], [404, "off"], [413, "session_full"], [422, "differs"]])(
    "stops at %i %s, until the person tries again",
    (status, code) => {
      const machine = ready(1);
      sent(machine, 0);
      machine.answered(refused(status, { code }), 0);
      expect(machine.step(1e9)).toEqual({ do: "wait", until: null });
      expect(machine.progress).toMatchObject({ state: "refused", message: "no", acknowledged: 0 });
      machine.retry();
      expect(sent(machine, 0).chunk).toBe(0);
    },
  );

  test("takes a row that was not sent yet as it comes last, and owns up to one that was", () => {
    const machine = new SendMachine([row(0)], null, false, () => 1);
    machine.add(1, row(1), 0);
    machine.add(1, row(1, ',"x":1'), 0);
    machine.network(true);
    machine.finish();
    expect(machine.step(0)).toEqual({ do: "session" });
    machine.answered({ kind: "session", token: "t" }, 0);
    expect(sent(machine, 0).body).toBe('{"n":0}\n{"n":1,"x":1}\n');
    machine.add(1, row(1), 0);
    expect(machine.progress.state).toBe("refused");
  });

  test("cuts chunks of bounded size, and a long row goes alone", () => {
    const long = `{"n":1,"x":"${"x".repeat(CHUNK_UNITS)}"}`;
    const machine = new SendMachine([row(0), long, row(2)], null, true, () => 1);
    machine.step(0);
    machine.answered({ kind: "session", token: "t" }, 0);
    const bodies = [0, 1, 2].map((chunk) => {
      const { body } = sent(machine, 0);
      machine.answered({ kind: "stored", chunk }, 0);
      return body;
    });
    expect(bodies).toEqual([`${row(0)}\n`, `${long}\n`, `${row(2)}\n`]);
  });
});

/** The sink as docs/server.md says it is. */
class ModelSink {
  chunks: string[] = [];
  token = 0;

  session(): Answer {
    return { kind: "session", token: String(this.token) };
  }

  append(chunk: number, body: string, token: string): Answer {
    if (token !== String(this.token)) return refused(401);
    if (chunk > this.chunks.length) return refused(422, { code: "gap", wanted: this.chunks.length });
    if (chunk < this.chunks.length && this.chunks[chunk] !== body) return refused(422, { code: "differs" });
    this.chunks[chunk] = body;
    return { kind: "stored", chunk };
  }

  get text(): string {
    return this.chunks.join("");
  }
}

/** mulberry32: the same numbers on every machine. */
function numbers(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * A game under every misfortune at once: requests and answers lost, requests that arrive again much later, errors, ended
 * tokens, a sink that loses its last chunks, the network away, reloads from the last mark that was kept.
 */
function misadventure(seed: number, rows: number): { sink: ModelSink; claimedTooEarly: number; reloads: number; machine: SendMachine; all: string[] } {
  const draw = numbers(seed);
  const chance = (share: number) => draw() < share;
  const sink = new ModelSink();
  const all: string[] = [];
  let [now, reloads, claimedTooEarly] = [0, 0, 0];
  let machine = new SendMachine([], null, true, draw);
  let kept: { mark: Mark; rows: number } = { mark: machine.mark, rows: 0 };
  const late: [number, string, string][] = [];
  for (let turn = 0; turn < 20_000; turn += 1) {
    const rough = turn < 3000;
    now += Math.floor(draw() * 1500);
    if (all.length < rows && chance(0.5)) {
      const line = row(all.length, `,"x":${Math.floor(draw() * 1e6)}`);
      machine.add(all.length, line, now);
      all.push(line);
      if (all.length === rows) machine.finish();
    }
    if (rough && chance(0.05)) machine.network(chance(0.5));
    if (rough && chance(0.01)) sink.token += 1;
    // Only while rows are still to come: what is lost later, nobody asks for.
    if (all.length < rows && chance(0.005)) sink.chunks.length = Math.floor(draw() * (sink.chunks.length + 1));
    if (rough && chance(0.1) && late.length > 0) {
      const [repeated] = late.splice(Math.floor(draw() * late.length), 1);
      if (repeated) sink.append(...repeated);
    }
    if (turn === 3000) machine.network(true);
    const step = machine.step(now);
    if (step.do === "wait") {
      if (step.until !== null) now = step.until;
      else if (all.length === rows && machine.progress.state === "saved" && !rough) break;
      continue;
    }
    kept = { mark: machine.mark, rows: all.length };
    let answer: Answer = { kind: "lost" };
    if (step.do === "session") {
      if (!rough || chance(0.8)) answer = sink.session();
    } else if (!rough || chance(0.7)) {
      answer = chance(rough ? 0.2 : 0) ? refused([500, 507, 429, 503][turn % 4]!) : sink.append(step.chunk, step.body, step.token);
      if (chance(rough ? 0.3 : 0)) late.push([step.chunk, step.body, step.token]);
      if (rough && chance(0.25)) answer = { kind: "lost" };
    }
    if (rough && chance(0.05)) {
      // The page is loaded again: the rows are in the journal, the mark is the one kept before the send.
      machine = new SendMachine(all.slice(0, kept.rows), kept.mark, true, draw);
      all.slice(kept.rows).forEach((line, index) => machine.add(kept.rows + index, line, now));
      if (all.length === rows) machine.finish();
      reloads += 1;
      continue;
    }
    machine.answered(answer, now);
    if (machine.progress.state === "saved" && !rough && sink.text !== all.map((line) => `${line}\n`).join("")) claimedTooEarly += 1;
  }
  return { sink, claimedTooEarly, reloads, machine, all };
}

test("through loss, repetition, errors and reloads, every row arrives once and in order", () => {
  let reloads = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const end = misadventure(seed, 150);
    expect(end.machine.progress, `seed ${seed}`).toMatchObject({ state: "saved", rows: 150, acknowledged: 150 });
    expect(end.sink.text, `seed ${seed}`).toBe(end.all.map((line) => `${line}\n`).join(""));
    expect(end.claimedTooEarly, `seed ${seed}`).toBe(0);
    reloads += end.reloads;
  }
  expect(reloads).toBeGreaterThan(100);
});
