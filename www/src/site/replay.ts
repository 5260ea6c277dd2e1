/** The page that replays a trace: opened from a file, by dropping one, or from the games kept in this browser. */

import { Journal, type Kept } from "../element/journal";
import { failureOf, openReplay, type ReplayHandle } from "../engine/client";
import type { Because, Frame, View } from "../engine/types";

const of = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [verdict, stage, about, happened, where] = ["verdict", "stage", "about", "happened", "where"].map((id) => of(id)) as [
  HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement,
];
const slider = of<HTMLInputElement>("at");
const run = of<HTMLButtonElement>("play");
const games = of<HTMLSelectElement>("games");

let replay: ReplayHandle | null = null;
let frame: Frame | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Of several frames asked for in haste, only the last is shown. */
let asked = 0;

async function open(text: string, name: string): Promise<void> {
  stop();
  replay?.close();
  replay = null;
  stage.hidden = true;
  say("Checking the trace …", "");
  try {
    replay = await openReplay(text);
  } catch (error) {
    const { message, line } = failureOf(error);
    return say(`${name} was refused. ${line === undefined ? "" : `Line ${line}: `}${message}.`, "wrong");
  }
  const { cut, digest, matches, note } = replay.verdict;
  const lost = cut ? " The last line was cut off and is left out." : "";
  const kind = matches ? "right" : "";
  say(`${note}.${lost} Digest ${digest}.`, kind);
  const { world, rules, seed, config, seats, library } = replay.header;
  const board = typeof config.board === "string" && !config.board.includes("\n") ? config.board : "a board of its own";
  const who = seats.map((seat) => (seat.kind === "human" ? "a person" : seat.name)).join(" with ");
  about.textContent = `${name}: ${world} on ${board}, ${who}, seed ${seed}, rules ${rules}, library ${library}`;
  slider.max = String(replay.length - 1);
  stage.hidden = false;
  await show(0);
}

function say(text: string, kind: "" | "right" | "wrong"): void {
  verdict.hidden = false;
  verdict.className = `verdict ${kind}`;
  verdict.textContent = text;
}

async function show(index: number): Promise<void> {
  if (!replay) return;
  const at = Math.max(0, Math.min(index, replay.length - 1));
  slider.value = String(at);
  const mine = ++asked;
  const next = await replay.frame(at);
  if (mine !== asked || !replay) return;
  frame = next;
  where.textContent = `step ${at} of ${replay.length - 1} · ${seconds(frame.at)} s · line ${frame.line}`;
  happened.textContent = describe(frame);
  frame.views.forEach((view, seat) => board(seat, view, frame!));
  of("talk").replaceChildren(...(frame.views[0]?.messages ?? []).map(({ seat, text }) => {
    const item = document.createElement("li");
    const name = document.createElement("b");
    name.textContent = seat === 0 ? "Human " : "Agent ";
    item.className = `seat${seat}`;
    item.append(name, text);
    return item;
  }));
  of("talk").scrollTop = of("talk").scrollHeight;
  Object.assign(of("insight"), {
    thoughts: frame.thoughts.map((thought) => ({ ...thought, at: frame!.at })), lines: null, view: frame.views[1] ?? null,
  });
}

function board(seat: number, view: View, { thoughts, views }: Frame): void {
  const because: Because | undefined = thoughts.findLast((thought) => thought.seat === seat)?.because;
  const treasure = views.map((view) => view.treasure).find((cell) => cell !== null) ?? null;
  const { width, height, walls, token, start, open } = view;
  const trail = view.history.filter(({ round }) => round === view.round).map(({ to }) => to);
  Object.assign(of(`side${seat}`), {
    width, height, walls, token, start, open, treasure, trail, heat: because?.belief ?? null, interactive: false,
    label: seat === 0 ? "The human's side of the board" : "The agent's side of the board",
  });
}

function describe({ event, news, views }: Frame): string {
  if (!event) return "The start: nobody has moved yet.";
  const who = event["seat"] === 0 ? "The human" : "The agent";
  const blocked = news.some(({ news }) => news.kind === "blocked");
  const found = news.find(({ news }) => news.kind === "found")?.news;
  const end = found?.kind === "found" ? ` The treasure of round ${found.round} is found, in ${found.turns} turns.` : "";
  const rest = views[0]?.turn === null ? " The game is over." : "";
  if (event.event === "say") return `${who} says: “${String(event["text"])}”`;
  if (event["action"] === "stay") return `${who} stays.${end}${rest}`;
  return `${who} ${blocked ? "tries" : "goes"} ${String(event["action"])}${blocked ? ", but a hedge is in the way" : ""}.${end}${rest}`;
}

/** The time until the next frame, as it was in the game but never longer than two seconds, at the chosen speed. */
async function goOn(): Promise<void> {
  if (!replay || !frame) return;
  const index = Number(slider.value) + 1;
  if (index >= replay.length) return stop();
  const { at } = await replay.frame(index);
  const speed = Number(of<HTMLSelectElement>("speed").value);
  const wait = Math.min(Math.max(at - frame.at, 150), 2000) / speed;
  timer = setTimeout(async () => {
    await show(index);
    if (timer !== undefined) await goOn();
  }, wait);
}

function stop(): void {
  clearTimeout(timer);
  timer = undefined;
  run.textContent = "Run";
}

function seconds(millis: number): string {
  return (millis / 1000).toFixed(1);
}

run.addEventListener("click", async () => {
  if (timer !== undefined) return stop();
  if (replay && Number(slider.value) >= replay.length - 1) await show(0);
  run.textContent = "Pause";
  void goOn();
});
slider.addEventListener("input", () => void show(Number(slider.value)));
of("back").addEventListener("click", () => void show(Number(slider.value) - 1));
of("on").addEventListener("click", () => void show(Number(slider.value) + 1));

of<HTMLInputElement>("file").addEventListener("change", async (event) => {
  const input = event.target as HTMLInputElement;
  const file = input.files?.[0];
  input.value = "";
  if (file) await open(await file.text(), file.name);
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) await open(await file.text(), file.name);
});
games.addEventListener("change", () => games.value && void openKept(games.value));

async function openKept(id: string): Promise<void> {
  try {
    const journal = await Journal.open();
    await open(await journal.text(id), "The game played here");
  } catch {
    say("This game is no longer kept in this browser.", "wrong");
  }
}

async function listKept(): Promise<void> {
  const kept = await Journal.open().then((journal) => journal.all()).catch(() => []);
  if (kept.length === 0) return;
  const option = ({ id, started, lines }: Kept) => new Option(`${new Date(started).toLocaleString()}, ${lines} lines`, id);
  games.replaceChildren(new Option("choose", ""), ...kept.map(option));
  of("kept").hidden = false;
}

void listKept();
const asking = new URLSearchParams(location.hash.slice(1)).get("journal");
if (asking) void openKept(asking);
