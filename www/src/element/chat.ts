/** `<tandem-chat>`: what was said, and a place to say more. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Said, Seat } from "../engine/types";
import { en, fill, type Texts } from "../texts/en";
import { chatStyles } from "./chat-styles";

/** What was said; worlds with rounds say in which. */
type Message = Said & { round?: number };

export class TandemChat extends LitElement {
  static override styles = chatStyles;
  static override properties = {
    messages: { attribute: false },
    seat: { type: Number },
    thinking: { type: Boolean },
    locked: { type: Boolean },
    quick: { attribute: false },
    notes: { attribute: false },
    texts: { attribute: false },
  };

  declare messages: Message[];
  /** Whose words stand on the right. */
  declare seat: Seat;
  declare thinking: boolean;
  /** Nothing more can be said. */
  declare locked: boolean;
  /** Words to say at one press. */
  declare quick: string[];
  /** What is told about each of the speaker's own messages, in their order. */
  declare notes: string[];
  declare texts: Texts;

  constructor() {
    super();
    this.messages = [];
    this.seat = 0;
    this.thinking = this.locked = false;
    this.quick = [];
    this.notes = [];
    this.texts = en;
  }

  /** To the line for writing. */
  override focus(options?: FocusOptions): void {
    this.#input?.focus(options);
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector("input");
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("messages") && !changed.has("thinking")) return;
    const log = this.renderRoot.querySelector(".log");
    if (log) log.scrollTop = log.scrollHeight;
  }

  protected override render(): TemplateResult {
    return html`
      <header>
        <span class="face" aria-hidden="true"><i></i></span>
        <h2>${this.texts.partner}</h2>
        <span class="state">${this.thinking ? this.texts.thinkingShort : nothing}</span>
      </header>
      <div class="log" part="log" role="log" aria-live="polite" aria-label=${this.texts.chat} tabindex="0">
        ${this.messages.length === 0 && !this.thinking ? html`<p class="empty">${this.texts.chatEmpty}</p>` : nothing}
        ${this.#messages()}
        ${this.thinking ? html`<p class="bubble theirs dots" aria-hidden="true"><i></i><i></i><i></i></p>` : nothing}
      </div>
      <div class="quick" role="group" aria-label=${this.texts.quickWords}>
        ${this.quick.map(
          (words) => html`<button type="button" part="quick" ?disabled=${this.locked} @click=${() => this.#say(words)}>${words}</button>`,
        )}
      </div>
      <form @submit=${this.#send}>
        <input
          type="text"
          autocomplete="off"
          enterkeyhint="send"
          maxlength="500"
          aria-label=${this.texts.chatLabel}
          placeholder=${this.texts.chatPlaceholder}
          ?disabled=${this.locked}
          @keydown=${this.#onKey}
        />
        <button class="main" part="button" ?disabled=${this.locked}>${this.texts.chatSend}</button>
      </form>
    `;
  }

  #messages(): TemplateResult[] {
    let own = 0;
    return this.messages.map((message, index) => {
      const note = message.seat === this.seat ? this.notes[own++] : undefined;
      return this.#message(message, this.messages[index - 1], note);
    });
  }

  #message({ seat, text, round }: Message, before: Message | undefined, note: string | undefined): TemplateResult {
    const mine = seat === this.seat;
    const newRound = before !== undefined && before.round !== round;
    return html`
      ${newRound ? html`<p class="divider"><span>${fill(this.texts.roundShort, { round })}</span></p>` : nothing}
      <p class=${`bubble ${mine ? "mine" : "theirs"}`} part="bubble">
        <span class="unseen">${mine ? this.texts.you : this.texts.partner}: </span>${text}
      </p>
      ${note ? html`<p class="note" part="note">${note}</p>` : nothing}
    `;
  }

  #send(event: Event): void {
    event.preventDefault();
    const input = this.#input;
    if (!input?.value.trim()) return;
    this.#say(input.value.trim());
    input.value = "";
  }

  #say(text: string): void {
    this.dispatchEvent(new CustomEvent("say", { detail: { text } }));
  }

  /** Keys typed here are words, not steps; Escape goes back to the board. */
  #onKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("leave"));
  }
}
