// /learn/<mode>/: the lesson on the page.

import { find, pageData } from "site/dom.js";

import { runLesson } from "../learn/lesson.js";
import { againstABot, start } from "../lobby/quick.js";
import { loadPart } from "../modes.js";

const { mode, solo } = pageData();
const root = find("[data-lesson]");
const { lesson, createBoard } = await loadPart(mode, "lesson");

runLesson(root, () => lesson(root), {
  createBoard,
  onPlay: (button) => start(solo ? { type: "solo", mode } : againstABot(mode), button),
});
