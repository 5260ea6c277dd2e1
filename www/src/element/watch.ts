/** Watching two agents: both boards, what they say, and the hands on the clock. */

import { html, nothing, type TemplateResult } from "lit";
import type { View } from "../engine/types";
import { fill, type Texts } from "../texts/en";
import { button } from "./panels";
import type { Play } from "./play";

const SPEEDS = [0.5, 1, 2, 4, 8, 16];

export function watchTable(play: Play, texts: Texts): TemplateResult {
  return html`
    <div class="watch" part="watch">
      <div class="top">
        <p class="status">${status(play, texts)}</p>
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
      <div class="boards">${play.views.map((view) => (view ? seatBoard(play, view, texts) : nothing))}</div>
      <div class="talk" part="chat" role="log" aria-label=${texts.chat}>
        ${(play.view?.messages ?? []).slice(-8).map(
          ({ seat, text }) => html`<p class="seat${seat}"><b>${seatName(seat, texts)}</b> ${text}</p>`,
        )}
      </div>
    </div>
  `;
}

function seatBoard(play: Play, view: View, texts: Texts): TemplateResult {
  const because = play.thoughts.findLast(({ seat, because }) => seat === view.seat && because.belief !== undefined)?.because;
  const label = fill(texts.sideOf, { seat: seatName(view.seat, texts) });
  const trail = view.history.filter((past) => past.round === view.round);
  return html`
    <figure>
      <figcaption class="seat${view.seat}">
        ${label} ${view.turn === view.seat ? html`<span class="now">${texts.toMove}</span>` : nothing}
      </figcaption>
      <tandem-gnomes-board
        .width=${view.width}
        .height=${view.height}
        .walls=${view.walls}
        .token=${view.token}
        .start=${view.start}
        .treasure=${view.treasure}
        .open=${view.open}
        .interactive=${false}
        .heat=${because?.belief ?? null}
        .refused=${because?.hidden ?? []}
        .texts=${texts}
        .trail=${trail.map((past) => past.to)}
        .label=${label}
      ></tandem-gnomes-board>
    </figure>
  `;
}

function status(play: Play, texts: Texts): string {
  const view = play.view;
  if (!view) return "";
  const round = fill(texts.round, view);
  const turns = view.turns === 1 ? texts.oneTurn : fill(texts.turns, view);
  return view.turn === null ? texts.gameOver : `${round} · ${turns}`;
}

/** One step is for looking at: the clock stands afterwards. */
async function pausedStep(play: Play): Promise<void> {
  if (!play.paused) await play.pause();
  await play.step();
}

function seatName(seat: number, texts: Texts): string {
  return seat === 0 ? texts.seat0 : texts.seat1;
}

/** The words for the end of a game that was only watched. */
export function watchedEnd(texts: Texts): Texts {
  return {
    ...texts,
    endCompleted: texts.watchCompleted,
    endNotCompleted: texts.watchNotCompleted,
    endBelief: texts.watchBelief,
    endBeliefNote: texts.watchBeliefNote,
    endBeliefNone: texts.watchBeliefNone,
    markUnknown: texts.watchUnknown,
  };
}
