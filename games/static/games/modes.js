// The one registry of modes in the browser. The page says which modes there are and which parts each
// of them has (`MODE` in its mode.py); a part is the module "modes/<name>/<part>.js" and is loaded only
// when a page needs it:
//
//     match.js    create(page) -> the mode's part of the match page
//     fold.js     fold(game, event): changes `view.game` as the engine's fold does
//     picture.js  picture(view, options) -> what a board shows of a view
//     texts.js    reasons, refusals, quiet: sentences about its matches (match/texts.js)
//     replay.js   panes(replay, view), scores(view), words(tell), columns(view), … (replay/stage.js)
//     lesson.js   lesson(root) -> a lesson (learn/lesson.js)
//     mini.js     scene() -> what its miniature board plays (lobby/scenes.js)
//
// A mode without its own match view, fold, replay or miniature gets the generic ones, which draw the common board
// format of `view.game.board`.

/** @import { ModeInfo } from "games/lobby/types.d.ts" */

const GENERIC = new Set(["match", "fold", "replay", "mini"]);

/** @returns {ModeInfo[]} */
function onPage() {
  // Node, which tests some modules, has no document.
  const element = globalThis.document?.getElementById("modes");
  return element ? JSON.parse(element.textContent) : [];
}

const modes = new Map(onPage().map((mode) => [mode.name, mode]));

/**
 * The title in the page's language.
 * @param {string} name
 */
export const modeTitle = (name) => modes.get(name)?.title ?? name;

/**
 * Whether the site judges the moves of this mode after the match.
 * @param {string} name
 */
export const isJudged = (name) => modes.get(name)?.judged ?? false;

/** @param {string} name @param {string} part */
export const hasPart = (name, part) => modes.get(name)?.parts.includes(part) ?? false;

/**
 * Load a part of a mode, or the generic one in its place; null when there is neither.
 * @param {string} name
 * @param {string} part
 * @returns {Promise<any>}
 */
export async function loadPart(name, part) {
  if (hasPart(name, part)) return import(`modes/${name}/${part}.js`);
  return GENERIC.has(part) ? import(`games/generic/${part}.js`) : null;
}
