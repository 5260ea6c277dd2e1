/** What every page has: the theme, and use without a connection. */

const THEMES = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" } as const;
type Theme = keyof typeof THEMES;
const KEY = "tandem-theme";

function stored(): Theme {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : "auto";
  } catch {
    return "auto";
  }
}

/** For the page, and for every game on it. */
function apply(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  for (const game of document.querySelectorAll("tandem-game, tandem-replay")) game.setAttribute("theme", theme);
}

function themeButton(): void {
  const button = document.querySelector<HTMLButtonElement>("#theme");
  if (!button) return;
  let theme = stored();
  const show = () => {
    apply(theme);
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
    button.title = THEMES[theme];
    button.setAttribute("aria-label", `${THEMES[theme]}. Change it`);
  };
  button.addEventListener("click", () => {
    const order = Object.keys(THEMES) as Theme[];
    theme = order[(order.indexOf(theme) + 1) % order.length] ?? "auto";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // It holds for this page then.
    }
    show();
  });
  show();
  button.hidden = false;
}

/** The worker that keeps the site; only a build has one, and only a server can give it. */
async function keepForOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || location.protocol === "file:") return;
  try {
    await navigator.serviceWorker.register("./service-worker.js");
    await navigator.serviceWorker.ready;
    const place = document.querySelector("#offline");
    if (place) place.textContent = "It is kept for use without a connection.";
  } catch (error) {
    console.info("tandem: the site cannot be kept for use without a connection:", error);
  }
}

apply(stored());
themeButton();
// The games come first.
if (document.readyState === "complete") void keepForOffline();
else addEventListener("load", () => void keepForOffline());
