/** The page about embedding: shows what the first game tells its page. */

const events = document.querySelector<HTMLOListElement>("#events")!;
const game = document.querySelector("#one")!;
const KEPT = 6;

for (const name of ["message", "trace", "over", "failure"] as const) {
  game.addEventListener(name, (event) => {
    const line = document.createElement("li");
    const text = JSON.stringify((event as CustomEvent).detail);
    line.textContent = `${name} ${text.length > 160 ? `${text.slice(0, 160)} …` : text}`;
    events.append(line);
    while (events.children.length > KEPT) events.firstElementChild?.remove();
  });
}
