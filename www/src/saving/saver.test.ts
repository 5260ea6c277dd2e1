import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer, Mark } from "./machine";
import { Saver } from "./saver";
import { retryAfter, Sink } from "./sink";

beforeEach(() => void vi.stubGlobal("navigator", { onLine: true }));
afterEach(() => vi.unstubAllGlobals());

const stored = (chunk: number): Answer => ({ kind: "stored", chunk });

function stand() {
  const log: string[] = [];
  const marks: Mark[] = [];
  let answer = stored;
  const wire = {
    session: async (): Promise<Answer> => (log.push("session"), { kind: "session", token: "t" }),
    chunk: async (session: string, chunk: number, body: string): Promise<Answer> => (log.push(`${session}/${chunk} ${body}`), answer(chunk)),
  };
  const keep = async (mark: Mark): Promise<void> => void (marks.push(mark), log.push("kept"));
  return { log, marks, wire, keeper: { id: "s", keep }, setAnswer: (next: typeof stored) => (answer = next) };
}

test("keeps where a chunk ends before it is sent, and that it was acknowledged", async () => {
  const { log, marks, wire, keeper } = stand();
  const saver = new Saver(["{}"], null, wire, keeper, () => undefined);
  saver.leave();
  await saver.stopped;
  expect(log).toEqual(["kept", "kept", "session", "kept", "s/0 {}\n", "kept"]);
  expect(marks.at(-2)).toEqual({ ends: [1], acknowledged: 0 });
  expect(marks.at(-1)).toEqual({ ends: [1], acknowledged: 1 });
});

test("asks for nothing while the browser is offline, and sends when it is back", async () => {
  const target = new EventTarget();
  vi.stubGlobal("navigator", { onLine: false });
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("removeEventListener", target.removeEventListener.bind(target));
  const { log, wire, keeper } = stand();
  const saver = new Saver(["{}"], null, wire, keeper, () => undefined);
  saver.leave();
  await vi.waitFor(() => expect(log).toEqual(["kept"]));
  expect(saver.progress.state).toBe("offline");
  target.dispatchEvent(new Event("online"));
  await saver.stopped;
  expect(saver.progress.state).toBe("saved");
});

test("sends nothing more once it is closed", async () => {
  const { log, wire, keeper } = stand();
  const saver = new Saver(["{}"], null, wire, keeper, () => undefined);
  saver.close();
  await saver.stopped;
  expect(log).toEqual(["kept"]);
});

test("reads the sink's answers", async () => {
  const sink = new Sink({ url: "https://host/x/", study: "s", participant: "p", condition: "c" });
  const asked: [string, RequestInit][] = [];
  const answers: Response[] = [
    new Response('{"token":"t","expires":1}'),
    new Response('{"chunk":3,"next":4,"bytes":9}'),
    new Response('{"error":{"message":"m","code":"gap"},"wanted":1}', { status: 422, headers: { "Retry-After": "7" } }),
    new Response("<html>a page of some hotel</html>"),
    new Response("<html>", { status: 502 }),
  ];
  vi.stubGlobal("fetch", async (url: URL, options: RequestInit) => {
    asked.push([url.href, options]);
    const answer = answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return answer;
  });
  const chunk = () => sink.chunk("id", 3, "{}\n", "t");
  expect(await sink.session()).toEqual({ kind: "session", token: "t" });
  expect(await chunk()).toEqual({ kind: "stored", chunk: 3 });
  expect(await chunk()).toEqual({ kind: "refused", status: 422, code: "gap", message: "m", wanted: 1, retryAfterMillis: 7000 });
  expect(await chunk()).toEqual({ kind: "lost" });
  expect(await chunk()).toMatchObject({ kind: "refused", status: 502, code: "", message: "502" });
  expect(await chunk()).toEqual({ kind: "lost" });
  expect(asked[0]?.[0]).toBe("https://host/x/v1/session");
  expect(asked[1]?.[0]).toBe("https://host/x/v1/data/s/p/id?chunk=3");
  expect(asked[1]?.[1]).toMatchObject({ method: "POST", body: "{}\n", credentials: "omit" });
});

test("Retry-After is seconds or a date", () => {
  expect(retryAfter("5", 0)).toBe(5000);
  expect(retryAfter("Thu, 01 Jan 1970 00:00:09 GMT", 2000)).toBe(7000);
  expect(retryAfter(null, 0)).toBeNull();
  expect(retryAfter("soon", 0)).toBeNull();
});
