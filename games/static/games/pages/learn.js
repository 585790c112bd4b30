// /learn/<mode>/: the lesson on the page.

import { runLesson } from "../learn/lesson.js";
import { againstABot, start } from "../lobby/quick.js";
import { loadPart } from "../modes.js";

const { mode, solo } = JSON.parse(document.getElementById("page-data").textContent);
const root = document.querySelector("[data-lesson]");
const { lesson } = await loadPart(mode, "lesson");

runLesson(root, () => lesson(root), {
  onPlay: (button) => start(solo ? { type: "solo", mode } : againstABot(mode), button),
});
