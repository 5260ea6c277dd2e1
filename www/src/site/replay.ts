/** The page that replays a trace: opened from a file, by dropping one, or from the games kept in this browser. */

import { html, render } from "lit";
import { Journal, type Kept } from "../element/journal";
import type { Scene } from "../element/scene";
import { sceneOf } from "../element/scenes";
import { failureOf, openReplay, type ReplayHandle } from "../engine/client";
import type { Frame } from "../engine/types";
import { en } from "../texts/en";

const of = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [verdict, stage, about, happened, where] = ["verdict", "stage", "about", "happened", "where"].map((id) => of(id)) as [
  HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement,
];
const slider = of<HTMLInputElement>("at");
const run = of<HTMLButtonElement>("play");
const games = of<HTMLSelectElement>("games");

let replay: ReplayHandle | null = null;
let frame: Frame | null = null;
let scene: Scene = sceneOf("gnomes");
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
  scene = sceneOf(world);
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
  draw(frame);
}

function draw({ at, event, news, views, reveal, thoughts }: Frame): void {
  happened.textContent = scene.describe(event, news.map(({ news }) => news), views);
  const view = views[0];
  if (!view) return;
  const standing = { view, views, news, now: at, thinking: null, locked: true, reveal, thoughts, texts: en, watch: true };
  render(scene.sides(standing), of("sides"));
  const said = view.messages.map(({ seat, text }) => html`<li class="seat${seat}"><b>${scene.seatName(seat, en)}</b> ${text}</li>`);
  render(html`${said}`, of("talk"));
  of("talk").scrollTop = of("talk").scrollHeight;
  Object.assign(of("insight"), {
    world: scene.world, thoughts: thoughts.map((thought) => ({ ...thought, at })), lines: null, view: views.at(-1) ?? null,
  });
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
