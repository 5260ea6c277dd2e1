/** Playing as a person would who knows their own side and nothing else. */

import type { Locator, Page } from "@playwright/test";
import { expect } from "./site";

type Cell = [number, number];
interface View {
  board: string; seat: number; width: number; height: number; walls: { right: Cell[]; below: Cell[] }; token: Cell;
  turn: number | null; round: number; turns: number; treasure: Cell | null; open: string[];
  history: { seat: number; from: Cell; to: Cell; round: number }[]; messages: { seat: number; text: string }[];
  outcome: { completed: boolean } | null;
}

const STEP: Record<string, Cell> = { right: [1, 0], up: [0, -1], left: [-1, 0], down: [0, 1] };
export const KEY: Record<string, string> = { right: "ArrowRight", up: "ArrowUp", left: "ArrowLeft", down: "ArrowDown", stay: " " };

/** What the person sees now. */
export function viewOf(game: Locator): Promise<View> {
  return game.evaluate((element) => structuredClone((element as unknown as { view: View }).view));
}

/** Waits until it is the person's turn or the game is over. */
export async function myTurn(game: Locator): Promise<View> {
  await expect
    .poll(() => game.evaluate((element) => {
      const view = (element as unknown as { view: View | null }).view;
      return view !== null && (view.turn === view.seat || view.turn === null);
    }), { timeout: 30_000 })
    .toBe(true);
  return viewOf(game);
}

/** A sensible step: nearer to the treasure if it is seen, else to the cell visited least; the partner's last wish first. */
export function choose(view: View): string {
  const visits = (cell: Cell) => view.history.filter(({ to, round }) => round === view.round && to[0] === cell[0] && to[1] === cell[1]).length;
  const after = (action: string): Cell => [view.token[0] + STEP[action]![0], view.token[1] + STEP[action]![1]];
  const asked = view.messages.filter(({ seat }) => seat === 1).at(-1)?.text.match(/right|left|up|down/)?.[0];
  const steps = view.open.filter((action) => action !== "stay");
  if (!view.treasure && asked && steps.includes(asked)) return asked;
  const far = (cell: Cell) => view.treasure ? Math.abs(cell[0] - view.treasure[0]) + Math.abs(cell[1] - view.treasure[1]) : 0;
  const cost = (action: string) => far(after(action)) + 1.5 * visits(after(action));
  return steps.sort((one, other) => cost(one) - cost(other))[0] ?? "stay";
}

/** The person takes turns until the game is over. */
export async function playOn(game: Locator, act: (view: View, action: string) => Promise<void>): Promise<number> {
  let turns = 0;
  for (;;) {
    const view = await myTurn(game);
    if (view.turn === null) return turns;
    turns += 1;
    if (turns > 600) throw new Error("the game does not end");
    await act(view, choose(view));
    const mark = `${view.round}/${view.turns}`;
    await expect.poll(async () => {
      const now = await viewOf(game);
      return now.turn === null || `${now.round}/${now.turns}` !== mark;
    }).toBe(true);
  }
}

/** One step by the element's own method. */
export function act(game: Locator, action: string | object): Promise<void> {
  return game.evaluate((element, action) => (element as unknown as { act(action: string | object): Promise<void> }).act(action), action);
}

export function trace(game: Locator): Promise<string> {
  return game.evaluate((element) => (element as unknown as { trace(): string }).trace());
}

/** Replays a trace with the library itself, in the page. */
export function replayed(page: Page, text: string, base = "/pkg/"): Promise<{ complete: boolean; cut: boolean; digest: string; matches: boolean | null }> {
  return page.evaluate(async ([text, base]) => {
    const url = new URL(`${base}wasm/tandem.js`, location.href).href;
    const tandem = await import(url);
    await tandem.default({ module_or_path: new URL("tandem_bg.wasm", url) });
    const replay = new tandem.Replay(text);
    try {
      return replay.verdict();
    } finally {
      replay.free();
    }
  }, [text, base] as const);
}
