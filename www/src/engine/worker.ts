/** The worker: holds the library, one player and one replay, and answers the page's requests one by one. */

import { asFailure, LoadError, loadLibrary, type CpuGuide, type Library, type Player, type Replay } from "./load";
import type { Calls, CallName, Fault, Reply, Request } from "./protocol";

let library: Library | null = null;
let player: Player | null = null;
let replay: Replay | null = null;
/** By the numbers under which they were opened. */
const guides = new Map<number, CpuGuide>();
let nextGuide = 0;

type Answers = { [C in CallName]: (args: Calls[C]["args"]) => Calls[C]["gives"] | Promise<Calls[C]["gives"]> };

const answers: Answers = {
  async load({ base }) {
    library ??= await loadLibrary(base, {
      progress: (done, total) => tell({ type: "progress", done, total }),
      note: (text) => tell({ type: "note", text }),
    });
    return { version: library.version(), worlds: library.worlds() };
  },
  play({ settings }) {
    const opened = new (loaded().Player)(settings, (message) => tell({ type: "player", message }));
    player?.free();
    player = opened;
    return null;
  },
  resume({ trace, language }) {
    const opened = loaded().Player.resume(trace, (message) => tell({ type: "player", message }), language);
    player?.free();
    player = opened;
    return null;
  },
  replay({ trace }) {
    const opened = new (loaded().Replay)(trace);
    replay?.free();
    replay = opened;
    return { header: opened.header(), length: opened.length(), verdict: opened.verdict() };
  },
  frame: ({ index }) => need(replay, "replay").frame(index),
  act: ({ seat, action }) => done(need(player, "game").act(seat, action)),
  say: ({ seat, text }) => done(need(player, "game").say(seat, text)),
  pause: () => done(need(player, "game").pause()),
  go: () => done(need(player, "game").go()),
  step: () => done(need(player, "game").step()),
  speed: ({ speed }) => done(need(player, "game").set_speed(speed)),
  view: ({ seat }) => need(player, "game").view(seat),
  reveal: () => need(player, "game").reveal(),
  answer: ({ ticket, answer }) => done(need(player, "game").answer(ticket, answer)),
  openGuide({ encoder, head }) {
    guides.set(nextGuide, new (loaded().CpuGuide)(encoder, head));
    return nextGuide++;
  },
  beginGuide: ({ guide, tiles }) => done(guideAt(guide).begin(tiles)),
  stepGuide: ({ guide, x, y }) => guideAt(guide).step(x, y),
  guideRow: ({ guide, y }) => guideAt(guide).row(y),
  closeGuide({ guide }) {
    guides.get(guide)?.free();
    guides.delete(guide);
    return null;
  },
};

self.addEventListener("message", async (event: MessageEvent<Request>) => {
  const { id, call, args } = event.data;
  try {
    const answer = answers[call] as (args: unknown) => unknown;
    tell({ type: "answer", id, value: await answer(args) });
  } catch (error) {
    tell({ type: "fault", id, fault: fault(error) });
  }
});
tell({ type: "ready" });

function fault(error: unknown): Fault {
  if (error instanceof LoadError) return { kind: "load", fault: error.fault };
  const failure = asFailure(error);
  if (failure) return { kind: "failure", failure };
  return { kind: "crash", detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

function loaded(): Library {
  return need(library, "library");
}

function need<T>(held: T | null, what: string): T {
  if (held === null) throw new Error(`there is no ${what} yet`);
  return held;
}

function guideAt(number: number): CpuGuide {
  const guide = guides.get(number);
  // An ordinary failure: whoever asks gave it up a moment ago, and the game goes on.
  if (!guide) throw { code: "closed", message: "this Guide was closed" };
  return guide;
}

function done(_: void): null {
  return null;
}

function tell(reply: Reply): void {
  (self as unknown as { postMessage(reply: Reply): void }).postMessage(reply);
}
