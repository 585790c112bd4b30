// /learn/<mode>/: the lesson on the page.

import { areaAttackLesson } from "modes/area-attack/lesson.js";
import { battleshipLesson } from "modes/battleship/lesson.js";
import { classicLesson } from "modes/classic/lesson.js";
import { runLesson } from "../learn/lesson.js";
import { raceLesson } from "modes/race/lesson.js";
import { againstABot, start } from "../lobby/quick.js";

const LESSONS = { classic: classicLesson, race: raceLesson, "area-attack": areaAttackLesson, battleship: battleshipLesson };

const { mode, solo } = JSON.parse(document.getElementById("page-data").textContent);
const root = document.querySelector("[data-lesson]");

runLesson(root, () => LESSONS[mode](root), {
  onPlay: (button) => start(solo ? { type: "solo", mode } : againstABot(mode), button),
});
