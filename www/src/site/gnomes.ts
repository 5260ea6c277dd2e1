/** The page of Gnomes at Night: which game is played. The address says it too, so that a game can be sent on. */

import type { TandemGameElement } from "../element/public";
import type { WorldInfo } from "../engine/types";

const game = document.querySelector<TandemGameElement>("#game")!;
const form = document.querySelector<HTMLFormElement>("#setup")!;
const about = document.querySelector<HTMLElement>("#about")!;
const level = document.querySelector<HTMLInputElement>("#level")!;
const NAMES = ["board", "partner", "seed", "pace", "language", "model"] as const;
/** Not in the form: for links of a study. The page's policy lets it save at its own host alone. */
const UNSEEN = ["save", "study", "participant", "condition"] as const;
type Name = (typeof NAMES)[number];

let world: WorldInfo | undefined;

function field(name: Name): HTMLInputElement | HTMLSelectElement {
  return form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}

/** From the address to the game and the form. */
function fromAddress(): void {
  const asked = new URLSearchParams(location.search);
  for (const name of UNSEEN) {
    const value = asked.get(name);
    if (value !== null) game.setAttribute(name, value);
  }
  for (const name of NAMES) {
    const value = asked.get(name);
    if (value === null) continue;
    game.setAttribute(name, value);
    choose(name, value);
  }
}

/** A token may come with the address. It is kept out of the form, and out of the address once it is read. */
function takeToken(): void {
  const address = new URL(location.href);
  const token = address.searchParams.get("token");
  if (token === null) return;
  game.setAttribute("token", token);
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}

function choose(name: Name, value: string): void {
  const input = field(name);
  if (input instanceof HTMLSelectElement && ![...input.options].some((option) => option.value === value)) {
    input.add(new Option(value));
  }
  input.value = value;
}

function fill(name: "board" | "partner", choices: string[]): void {
  const select = field(name) as HTMLSelectElement;
  const chosen = game.getAttribute(name) ?? select.value;
  select.replaceChildren(...choices.map((choice) => new Option(choice)));
  choose(name, chosen);
}

function describe(): void {
  const board = world?.boards.find(({ name }) => name === field("board").value);
  const partner = world?.partners.find(({ name }) => name === field("partner").value);
  const size = board && `${board.width} by ${board.height}, ${board.rounds} rounds`;
  about.textContent = [board && `${board.name}: ${size}. ${board.note}`, partner && `${partner.name}: ${partner.note}`]
    .filter(Boolean)
    .join(" ");
}

game.addEventListener("ready", (event) => {
  world = event.detail.worlds.find(({ name }) => name === "gnomes");
  if (!world) return;
  fill("board", [...world.boards.map(({ name }) => name), "random-9x9-1", "random-15x15-1"]);
  fill("partner", world.partners.map(({ name }) => name).filter((name) => name !== "simulated"));
  describe();
});

form.addEventListener("change", describe);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const address = new URL(location.href);
  game.boardSource = null;
  for (const name of NAMES) {
    const { value } = field(name);
    if (value) game.setAttribute(name, value);
    else game.removeAttribute(name);
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  history.replaceState(null, "", address);
  form.closest("details")!.open = false;
  game.focus();
});

level.addEventListener("change", async () => {
  const file = level.files?.[0];
  // Choosing the same file again, after mending it, is a change too.
  level.value = "";
  if (!file) return;
  const text = await file.text();
  try {
    game.boardSource = asLayout(text) ?? `${text}\n`;
    about.textContent = `Board of your own: ${file.name}`;
  } catch (error) {
    about.textContent = `${file.name} is not whole: ${(error as Error).message}. The game before goes on.`;
  }
});

/** JSON where it begins as JSON does; whether it is a board, the library says. Throws if it is cut off or garbled. */
function asLayout(text: string): object | null {
  return text.trimStart().startsWith("{") ? (JSON.parse(text) as object) : null;
}

fromAddress();
takeToken();
