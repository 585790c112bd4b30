// Entry point of /match/<id>/ during the match.
import { find, pageData } from "site/dom.js";

import { startMatch } from "games/match/page.js";
import { loadPart } from "games/modes.js";

const data = pageData();
/** @param {string} part */
const load = (part) => loadPart(data.match.mode, part);
const [match, fold, texts] = await Promise.all(["match", "fold", "texts"].map(load));
startMatch(find("#match"), data, { match, fold, texts });
