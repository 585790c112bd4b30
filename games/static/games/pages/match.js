// Entry of /match/<id>/ while it is played.
import { startMatch } from "games/match/page.js";
import { loadPart } from "games/modes.js";

const data = JSON.parse(document.getElementById("page-data").textContent);
const load = (part) => loadPart(data.match.mode, part);
const [match, fold, texts] = await Promise.all(["match", "fold", "texts"].map(load));
startMatch(document.getElementById("match"), data, { match, fold, texts });
