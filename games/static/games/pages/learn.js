// /learn/<mode>/: the lesson on the page.

import { areaAttackLesson } from "../learn/area-attack.js";
import { battleshipLesson } from "../learn/battleship.js";
import { classicLesson } from "../learn/classic.js";
import { runLesson } from "../learn/lesson.js";
import { raceLesson } from "../learn/race.js";
import { againstABot, start } from "../lobby/quick.js";

const LESSONS = { classic: classicLesson, race: raceLesson, "area-attack": areaAttackLesson, battleship: battleshipLesson };

const { mode, solo } = JSON.parse(document.getElementById("page-data").textContent);
const root = document.querySelector("[data-lesson]");

runLesson(root, () => LESSONS[mode](root), {
  onPlay: (button) => start(solo ? { type: "solo", mode } : againstABot(mode), button),
});
