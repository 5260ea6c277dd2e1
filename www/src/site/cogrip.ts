/** The page of CoGRIP-GL: who plays what. The address says it too, so that a game can be sent on. */

import type { TandemGameElement } from "../element/public";
import type { WorldInfo } from "../engine/types";

const game = document.querySelector<TandemGameElement>("#game")!;
const form = document.querySelector<HTMLFormElement>("#setup")!;
const about = document.querySelector<HTMLElement>("#about")!;
const NAMES = ["role", "board", "guide", "follower", "phi", "backend", "rounds", "seed"] as const;
/** Not in the form: for links and tests. */
const UNSEEN = ["pace", "insight", "trained-with", "save", "study", "participant", "condition"] as const;
type Name = (typeof NAMES)[number];

let world: WorldInfo | undefined;

function field(name: Name): HTMLInputElement | HTMLSelectElement {
  return form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}

/** From the address to the game and the form. */
function fromAddress(): void {
  const asked = new URLSearchParams(location.search);
  for (const name of [...NAMES, ...UNSEEN]) {
    const value = asked.get(name);
    if (value !== null) game.setAttribute(name, value);
  }
  for (const name of NAMES) {
    const value = asked.get(name);
    if (value !== null) choose(name, value);
  }
  describe();
}

function choose(name: Name, value: string): void {
  const input = field(name);
  if (input instanceof HTMLSelectElement && ![...input.options].some((option) => option.value === value)) {
    input.add(new Option(value));
  }
  input.value = value;
}

function fill(name: "board" | "guide" | "follower", choices: string[]): void {
  const select = field(name) as HTMLSelectElement;
  const chosen = game.getAttribute(name) ?? select.value;
  select.replaceChildren(...choices.map((choice) => new Option(choice)));
  choose(name, chosen);
}

/** What was chosen, in words; who is a person needs no agent. */
function describe(): void {
  const role = field("role").value;
  for (const label of form.querySelectorAll<HTMLElement>("[data-for]")) label.hidden = label.dataset["for"] === role;
  const network = form.querySelector<HTMLElement>("[data-network]")!;
  network.hidden = role === "guide" || field("guide").value !== "ppo";
  const board = world?.boards.find(({ name }) => name === field("board").value);
  const agents = (["guide", "follower"] as const)
    .filter((seat) => seat !== role)
    .map((seat) => world?.partners.find(({ name }) => name === field(seat).value));
  const notes = [board && `${board.name}: ${board.note}`, ...agents.map((agent) => agent && `${agent.name}: ${agent.note}`)];
  about.textContent = notes.filter(Boolean).join(" ");
}

game.addEventListener("ready", (event) => {
  world = event.detail.worlds.find(({ name }) => name === "cogrip");
  if (!world) return;
  fill("board", ["random", ...world.boards.map(({ name }) => name).filter((name) => name !== "random")]);
  const at = (seat: number) => world!.partners.filter((partner) => partner.seat === seat).map(({ name }) => name);
  fill("guide", at(0));
  fill("follower", at(1));
  describe();
});

form.addEventListener("change", describe);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const address = new URL(location.href);
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

fromAddress();
