/** Watching two agents: both sides, what they say, and the hands on the clock. */

import { html, type TemplateResult } from "lit";
import { button } from "./panels";
import type { Play } from "./play";
import type { Standing } from "./scene";

const SPEEDS = [0.5, 1, 2, 4, 8, 16];

export function watchTable(play: Play, standing: Standing): TemplateResult {
  const { scene } = play;
  const { view, texts } = standing;
  return html`
    <div class="watch" part="watch">
      <div class="top">
        <p class="status">${scene.progress(view, texts)}</p>
        <div class="controls" role="group" aria-label=${texts.watch}>
          ${play.paused
            ? button(texts.watchRun, () => void play.go(), true)
            : button(texts.watchPause, () => void play.pause(), true)}
          ${button(texts.watchStep, () => void pausedStep(play))}
          <label>
            ${texts.watchSpeed}
            <select @change=${(event: Event) => void play.setSpeed(Number((event.target as HTMLSelectElement).value))}>
              ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === play.speed}>${speed}×</option>`)}
            </select>
          </label>
        </div>
      </div>
      <div class="boards">${scene.sides(standing)}</div>
      <div class="talk" part="chat" role="log" aria-label=${texts.chat}>
        ${view.messages.slice(-8).map(
          ({ seat, text }) => html`<p class="seat${seat}"><b>${scene.seatName(seat, texts)}</b> ${text}</p>`,
        )}
      </div>
    </div>
  `;
}

/** One step is for looking at: the clock stands afterwards. */
async function pausedStep(play: Play): Promise<void> {
  if (!play.paused) await play.pause();
  await play.step();
}
