/** `<tandem-gnomes>`: a person's place at the table: status, own side of the board, the partner's words. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { TandemChat } from "../element/chat";
import { newsFor } from "../element/told";
import { placeStyles } from "../element/table-styles";
import type { Told } from "../engine/types";
import { en, fill, type Texts } from "../texts/en";
import type { TandemGnomesBoard } from "./board";
import { happened, whereabouts } from "./describe";
import { statusLine } from "./status";
import { tableStyles } from "./table-styles";
import { readBy, type Reading } from "./readings";
import type { Action, Cell, News, View } from "./types";

/** How long a found treasure is looked at before the token is back at the start. */
const FOUND_MILLIS = 1200;
const NOTE_MILLIS = 6000;

const KEYS: Record<string, Action> = {
  ArrowRight: "right", ArrowUp: "up", ArrowLeft: "left", ArrowDown: "down",
  d: "right", w: "up", a: "left", s: "down", " ": "stay",
};

export class TandemGnomes extends LitElement {
  static override styles = [placeStyles, tableStyles];
  static override properties = {
    view: { attribute: false },
    thinking: { type: Boolean },
    texts: { attribute: false },
    news: { attribute: false },
    now: { type: Number },
    locked: { type: Boolean },
    readings: { attribute: false },
  };

  declare view: View | null;
  declare thinking: boolean;
  declare texts: Texts;
  declare news: Told<News>[];
  /** Who read the person's messages, in their order; empty where no language model may. */
  declare readings: Reading[];
  /** Milliseconds of the session when the view came. */
  declare now: number;
  /** Nothing can be done: the clock stands. */
  declare locked: boolean;
  #came = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #keysShown = false;
  /** A treasure that was just found: the token is shown there for a moment. */
  #at: Cell | null = null;
  #note = "";
  #spoken = "";
  #last = "";

  constructor() {
    super();
    this.readings = [];
    this.view = null;
    this.thinking = this.locked = false;
    this.texts = en;
    this.news = [];
    this.now = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ticking = setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#ticking);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#at = null;
    this.#note = "";
  }

  focusBoard(): void {
    this.renderRoot.querySelector<HTMLElement>(".board")?.focus();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const view = this.view;
    if (!view) return;
    if (changed.has("view")) this.#came = performance.now();
    if (changed.has("news") && this.news.length > 0) this.#hear(newsFor(this.news, view.seat), view);
    this.style.setProperty("--ratio", String((view.width + 0.44) / (view.height + 0.44)));
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("news") || !this.view) return;
    const blocked = newsFor(this.news, this.view.seat).find((piece) => piece.kind === "blocked");
    if (blocked) this.#board?.bump(blocked.action);
  }

  get #board(): TandemGnomesBoard | null {
    return this.renderRoot.querySelector("tandem-gnomes-board");
  }

  get #mine(): boolean {
    return this.view !== null && this.view.turn === this.view.seat && !this.locked;
  }

  #hear(news: News[], view: View): void {
    const words = happened(news, view, this.texts);
    if (words.length === 0) return;
    const more = this.#mine ? [whereabouts(view, this.texts), this.texts.yourTurn] : [];
    this.#spoken = [...words, ...more].join(" ");
    this.#last = words[0] ?? "";
    const found = news.find((piece) => piece.kind === "found");
    if (!found) return;
    this.#at = found.treasure;
    this.#after(FOUND_MILLIS, () => (this.#at = null));
    if (!news.some((piece) => piece.kind === "round")) return;
    this.#note = words.slice(words.findIndex((text) => text === fill(this.texts.found, found))).join("\n");
    this.#after(NOTE_MILLIS, () => (this.#note = ""));
  }

  #after(millis: number, change: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      change();
      this.requestUpdate();
    }, millis);
    this.#timers.add(timer);
  }

  protected override render(): TemplateResult | typeof nothing {
    const view = this.view;
    if (!view) return nothing;
    const clock = this.now + (this.locked ? 0 : performance.now() - this.#came);
    return html`
      ${statusLine(view, { clock, thinking: this.thinking, locked: this.locked, texts: this.texts })}
      <div class="sides">
        <div class="garden">
          ${this.#boardBox(view)}
          <div class="below">
            <p class="hint">${this.#hint(view)}</p>
            <button type="button" class="small" ?disabled=${!this.#mine} @click=${() => this.#step("stay")}>
              ${this.texts.stepStay}
            </button>
            <button type="button" class="small round" aria-label=${this.texts.keysShow} aria-expanded=${this.#keysShown}
              @click=${() => this.#showKeys(!this.#keysShown)}>?</button>
          </div>
        </div>
        <tandem-chat
          part="chat"
          .messages=${view.messages}
          .seat=${view.seat}
          .thinking=${this.thinking}
          .locked=${this.locked}
          .notes=${this.readings.map((reading) => readBy(reading, this.texts))}
          .quick=${quickWords(this.texts)}
          .texts=${this.texts}
          @say=${(event: CustomEvent<{ text: string }>) => this.#hand("say", event.detail)}
          @leave=${() => this.focusBoard()}
        ></tandem-chat>
      </div>
      <p class="unseen" role="status">${this.#spoken}</p>
    `;
  }

  #boardBox(view: View): TemplateResult {
    const label = `${fill(this.texts.boardOwn, { board: view.board })} ${whereabouts(view, this.texts)}`;
    const steps = view.history.filter(({ round }) => round === view.round);
    return html`
      <div class="boardbox">
        <div class="board" tabindex="0" role="application" aria-label=${label} @keydown=${this.#onKey}>
          <tandem-gnomes-board
            exportparts="board"
            .width=${view.width}
            .height=${view.height}
            .walls=${view.walls}
            .token=${this.#at ?? view.token}
            .start=${view.start}
            .treasure=${this.#at ?? view.treasure}
            .found=${this.#at !== null}
            .open=${view.open}
            .interactive=${true}
            .ready=${this.#mine && this.#at === null}
            .trail=${this.#at ? [] : steps.map(({ to }) => to)}
            .label=${label}
            .texts=${this.texts}
            @step=${(event: CustomEvent<{ action: Action }>) => this.#step(event.detail.action)}
          ></tandem-gnomes-board>
          ${this.#note ? html`<p class="note" part="note">${this.#note}</p>` : nothing}
        </div>
        ${this.#keysShown ? this.#keys() : nothing}
      </div>
    `;
  }

  /** One line of what to do or what just happened; it never changes its height. */
  #hint(view: View): string {
    if (view.turn === null) return this.texts.gameOver;
    const last = view.history.at(-1);
    if (last?.round === view.round && last.seat === view.seat && last.attempt !== "stay" && last.moved === null) {
      return this.texts.blocked;
    }
    if (this.#mine && last?.round === view.round && last.seat !== view.seat) return this.#last;
    return view.treasure ? this.texts.treasureYours : this.texts.treasureTheirs;
  }

  #keys(): TemplateResult {
    const { texts } = this;
    const rows = [
      [texts.keyMove, texts.keyMoveWhat],
      [texts.keyStay, texts.keyStayWhat],
      [texts.keyChat, texts.keyChatWhat],
      [texts.keyBoard, texts.keyBoardWhat],
      [texts.keyHelp, texts.keyHelpWhat],
    ];
    return html`
      <div class="keys" role="dialog" aria-label=${texts.keys} @keydown=${this.#onKeysKey}>
        <h3>${texts.keys}</h3>
        <dl>
          ${rows.map(([keys, what]) => html`<dt>${keys}</dt><dd>${what}</dd>`)}
        </dl>
        <p>${texts.keysTouch}</p>
        <button type="button" class="small" @click=${() => this.#showKeys(false)}>${texts.dismiss}</button>
      </div>
    `;
  }

  async #showKeys(shown: boolean): Promise<void> {
    this.#keysShown = shown;
    this.requestUpdate();
    await this.updateComplete;
    if (shown) this.renderRoot.querySelector<HTMLElement>(".keys button")?.focus();
    else this.focusBoard();
  }

  #onKeysKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" && event.key !== "?") return;
    event.preventDefault();
    void this.#showKeys(false);
  }

  /** The board has the focus: these keys are ours, and the page must not scroll by them. */
  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = KEYS[key];
    if (action) {
      if (!event.repeat) this.#step(action);
    } else if (key === "Enter" || key === "t") {
      this.renderRoot.querySelector<TandemChat>("tandem-chat")?.focus();
    } else if (key === "?") {
      void this.#showKeys(true);
    } else return;
    event.preventDefault();
  }

  #step(action: Action): void {
    if (this.locked || !this.view) return;
    if (this.#mine) return this.#hand("act", { action });
    this.#spoken = this.texts.notYourTurn;
    this.requestUpdate();
  }

  #hand(name: "act" | "say", detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function quickWords(texts: Texts): string[] {
  const { quickRight, quickUp, quickLeft, quickDown, quickYes, quickNo, quickWhere } = texts;
  return [quickRight, quickUp, quickLeft, quickDown, quickYes, quickNo, quickWhere].filter(Boolean);
}
