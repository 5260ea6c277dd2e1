/** The game in words: for labels, screen readers, the live region and replays. */

import { html, nothing, type TemplateResult } from "lit";
import { fill, type Texts } from "../texts/en";
import { sameTile, underGripper, type Shown } from "./geometry";
import { followerSees, guideSees } from "./sees";
import type { Act, Color, CutTile, Finished, News, PieceName, Tile, View } from "./types";

export function colorNames(texts: Texts): Record<Color, string> {
  const { colorRed: red, colorGreen: green, colorBlue: blue, colorYellow: yellow, colorBrown: brown, colorPurple: purple } = texts;
  return { red, green, blue, yellow, brown, purple };
}

/** What a press or key does, in a person's words. */
export function actNames(texts: Texts): Record<Act, string> {
  return {
    left: texts.gripMoveLeft,
    right: texts.gripMoveRight,
    up: texts.gripMoveUp,
    down: texts.gripMoveDown,
    wait: texts.gripWait,
    take: texts.gripTake,
  };
}

/** An act in one word. */
export function actWords(texts: Texts): Record<Act, string> {
  const { actLeft: left, actRight: right, actUp: up, actDown: down, actWait: wait, actTake: take } = texts;
  return { left, right, up, down, wait, take };
}

/** The nine areas, row by row. */
export function areaNames(texts: Texts): string[] {
  return texts.gripAreas.split(",").map((name) => name.trim());
}

/** Counted from 1, as people do. */
export function tileName([x, y]: Tile, texts: Texts): string {
  return fill(texts.gripCell, { x: x + 1, y: y + 1 });
}

/** "red T", "red T, top left". */
export function pieceName({ color, shape, area }: { color: Color; shape: string; area?: string }, texts: Texts): string {
  return fill(area ? texts.gripPieceAt : texts.gripPiece, { color: colorNames(texts)[color], shape, area });
}

/** "the red T at top left". */
export function thePiece({ color, shape, area }: PieceName, texts: Texts): string {
  return fill(texts.gripPieceTheAt, { color: colorNames(texts)[color], shape, area });
}

export function shownName({ color, shape, position, target }: Shown, texts: Texts): string {
  const name = pieceName({ color, shape, ...(position ? { area: position } : {}) }, texts);
  return target ? `${name} (${texts.gripTarget})` : name;
}

/** What lies under the gripper. */
export function underWords(view: View, texts: Texts): string {
  const piece = underGripper(view);
  return piece ? fill(texts.gripUnder, { piece: pieceName(piece, texts) }) : texts.gripUnderNone;
}

/** A board in one sentence. */
export function boardWords(view: View, texts: Texts): string {
  const cell = tileName(view.gripper, texts);
  const guide = guideSees(view);
  if (guide) {
    const target = guide.pieces[guide.target];
    const name = target ? pieceName({ ...target, area: target.position }, texts) : "";
    return fill(texts.gripBoardGuide, { size: view.size, target: name, cell });
  }
  const { area } = followerSees(view)!;
  return fill(texts.gripBoardFollower, { cell, area, under: underWords(view, texts) });
}

/** A board as a table that nobody sees: a cut tile by tile, a whole board piece by piece. */
export function boardTable(drawn: { cut: CutTile[][] } | { pieces: Shown[]; gripper: Tile | null }, texts: Texts): TemplateResult {
  if ("cut" in drawn) {
    const half = drawn.cut.length >> 1;
    const words = (tile: CutTile) =>
      tile === null ? texts.gripOutside : tile.color && tile.shape ? pieceName({ color: tile.color, shape: tile.shape }, texts) : texts.gripEmpty;
    const away = (at: number) => (at === half ? "0" : String(at - half));
    return html`<div class="unseen"><table>
      <caption>${texts.gripTableCut}</caption>
      <thead><tr><td></td>${drawn.cut.map((_, x) => html`<th scope="col">${away(x)}</th>`)}</tr></thead>
      <tbody>
        ${drawn.cut.map(
          (row, y) => html`<tr><th scope="row">${away(y)}</th>
            ${row.map((tile, x) => html`<td>${x === half && y === half ? `${texts.gripTableHere}: ` : ""}${words(tile)}</td>`)}</tr>`,
        )}
      </tbody>
    </table></div>`;
  }
  const here = (piece: Shown) => drawn.gripper !== null && piece.tiles.some((tile) => sameTile(tile, drawn.gripper!));
  return html`<div class="unseen"><table>
    <caption>${texts.gripTableBoard}</caption>
    <thead><tr><th scope="col">${texts.gripTablePiece}</th><th scope="col">${texts.gripTableArea}</th><th scope="col">${texts.gripTableTiles}</th></tr></thead>
    <tbody>
      ${drawn.pieces.map(
        (piece) => html`<tr>
          <th scope="row">${shownName(piece, texts)}${here(piece) ? `; ${texts.gripTableHere}` : nothing}</th>
          <td>${piece.position ?? ""}</td>
          <td>${piece.tiles.map((tile) => tileName(tile, texts)).join("; ")}</td>
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

/** How a round ended. */
export function endedWords({ success, taken, target, steps }: Finished, texts: Texts): string {
  const name = thePiece(target, texts);
  if (!taken) return fill(texts.gripEndedTime, { steps, target: name });
  const words = fill(success ? texts.gripEndedRight : texts.gripEndedWrong, { taken: thePiece(taken, texts), target: name });
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Which way from one tile to the next. */
export function wayBetween(from: Tile, to: Tile): Act {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  return Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "right" : "left") : dy > 0 ? "down" : "up";
}

/** What just happened, for the person at the view's seat. */
export function happened(news: News[], view: View, texts: Texts): string[] {
  const acts = actWords(texts);
  const follower = followerSees(view) !== null;
  const last = view.history.at(-1);
  return news.flatMap((piece) => {
    switch (piece.kind) {
      case "said":
        return follower ? fill(texts.gripGuideSays, piece) : [];
      case "silence":
        return follower ? texts.gripGuideSilent : [];
      case "not_understood":
        return piece.answer;
      case "moved":
        return fill(texts.gripMoved, { act: acts[wayBetween(piece.from, piece.to)] });
      case "stayed":
        return stayedWords(follower ? (last?.act ?? null) : null, texts);
      case "ended":
        return endedWords(piece, texts);
      case "round":
        return fill(texts.gripNewRound, piece);
      case "over":
        return texts.gripOver;
      case "did":
        return [];
    }
  });
}

/** Why a gripper stayed, for the one who knows. */
function stayedWords(act: Act | null, texts: Texts): string {
  if (act === "take") return texts.gripTookNothing;
  return act === null || act === "wait" ? texts.gripStayed : texts.gripAtEdge;
}

/** What a step of a replay did. */
export function describe(event: { event: string; [more: string]: unknown } | null, news: News[], views: View[]): string {
  if (!event) return "The start: nobody has done anything yet.";
  const said = news.find((piece) => piece.kind === "said");
  if (said) return said.text === said.sentence ? `The Guide says: “${said.text}”` : `The Guide says: “${said.text}”, heard as “${said.sentence}”.`;
  if (news.some(({ kind }) => kind === "silence")) return "The Guide says nothing.";
  const puzzled = news.find((piece) => piece.kind === "not_understood");
  if (puzzled) return `The Guide writes “${puzzled.text}”, which is not understood.`;
  const did = news.find((piece) => piece.kind === "did");
  const moved = news.find((piece) => piece.kind === "moved");
  const what = !did ? "" : moved ? `The Follower goes ${did.act}.` : did.act === "wait" ? "The Follower waits."
    : did.act === "take" ? "The Follower takes." : `The Follower goes ${did.act}, against the edge.`;
  const ended = news.find((piece) => piece.kind === "ended");
  const over = views[0]?.turn === null ? " The game is over." : "";
  const name = (piece: PieceName) => `the ${piece.color} ${piece.shape} at ${piece.area}`;
  const end = !ended ? "" : ended.success ? ` It is the target: ${name(ended.target)}.`
    : ended.taken ? ` It is ${name(ended.taken)}, not ${name(ended.target)}.` : ` Time is out; the target was ${name(ended.target)}.`;
  return `${what}${end}${over}`.trim();
}
