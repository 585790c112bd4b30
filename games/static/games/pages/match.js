// Entry of /match/<id>/ while it is played.
import { createAreaAttack } from "modes/area-attack/match.js";
import { createBattleship } from "modes/battleship/match.js";
import { createBoardless } from "games/match/boardless.js";
import { createClassic } from "modes/classic/match.js";
import { createRace } from "modes/race/match.js";
import { startMatch } from "games/match/page.js";

const MODES = {
  classic: createClassic,
  race: createRace,
  "area-attack": createAreaAttack,
  battleship: createBattleship,
  other: createBoardless,
};

const data = JSON.parse(document.getElementById("page-data").textContent);
startMatch(document.getElementById("match"), data, MODES);
