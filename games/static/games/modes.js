// The registry of modes in the browser. The page lists the modes and the parts that each of them has (`MODE`
// in its mode.py); a part is the module "modes/<name>/<part>.js" and is loaded only when a page needs it:
//
//     match.js    create(page) -> the mode's part of the match page
//     fold.js     fold(game, event): changes `view.game` as the engine's fold does
//     picture.js  picture(view, options) -> the board's content for a view
//     texts.js    reasons, refusals, quiet: sentences about its matches (match/texts.js)
//     replay.js   panes(replay, view), scores(view), words(tell), columns(view), … (replay/stage.js)
//     lesson.js   lesson(root) -> a lesson (learn/lesson.js)
//     mini.js     scene() -> the animation of its miniature board (lobby/scenes.js)
//
// A mode without its own match view, fold, replay or miniature gets the generic ones, which draw the common board
// format of `view.game.board`.

/** @import { ModeInfo } from "games/lobby/types.d.ts" */

const GENERIC = new Set(["match", "fold", "replay", "mini"]);

/** @returns {ModeInfo[]} */
function onPage() {
  // Node, which runs the tests of some modules, has no document.
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
 * Whether the site analyses the moves of this mode after the match.
 * @param {string} name
 */
export const isJudged = (name) => modes.get(name)?.judged ?? false;

/** @param {string} name @param {string} part */
export const hasPart = (name, part) => modes.get(name)?.parts.includes(part) ?? false;

/**
 * Load a part of a mode, or its generic replacement; null when there is neither.
 * @param {string} name
 * @param {string} part
 * @returns {Promise<any>}
 */
export async function loadPart(name, part) {
  if (hasPart(name, part)) return import(`modes/${name}/${part}.js`);
  return GENERIC.has(part) ? import(`games/generic/${part}.js`) : null;
}
