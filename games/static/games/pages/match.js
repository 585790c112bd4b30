// Entry of /match/<id>/ while it is played.
import { createAreaAttack } from "games/match/modes/area-attack.js";
import { createBattleship } from "games/match/modes/battleship.js";
import { createBoardless } from "games/match/modes/boardless.js";
import { createClassic } from "games/match/modes/classic.js";
import { createRace } from "games/match/modes/race.js";
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
