// Share a result: the link to its replay, and a picture of the final board.

import { h, icon } from "site/dom.js";
import { t } from "site/i18n.js";
import { toast } from "site/toast.js";

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 40;
const COLUMN = 480; // the width of the text

/**
 * Draw everything in the stage, in its arrangement, into this box.
 * @param {CanvasRenderingContext2D} to
 * @param {HTMLElement} stage
 * @param {{ x: number, y: number, width: number, height: number }} box
 */
function drawStage(to, stage, box) {
  const layers = [...stage.querySelectorAll("canvas")]
    .map((canvas) => ({ canvas, at: canvas.getBoundingClientRect() }))
    .filter(({ canvas, at }) => canvas.width && canvas.height && at.width && at.height);
  if (!layers.length) return;
  const left = Math.min(...layers.map(({ at }) => at.left));
  const top = Math.min(...layers.map(({ at }) => at.top));
  const width = Math.max(...layers.map(({ at }) => at.right)) - left;
  const height = Math.max(...layers.map(({ at }) => at.bottom)) - top;
  const scale = Math.min(box.width / width, box.height / height);
  const x = box.x + (box.width - width * scale) / 2;
  const y = box.y + (box.height - height * scale) / 2;
  for (const { canvas, at } of layers) {
    to.drawImage(canvas, x + (at.left - left) * scale, y + (at.top - top) * scale, at.width * scale, at.height * scale);
  }
}

/** @param {CanvasRenderingContext2D} to @param {string} text @param {number} width */
function wrapped(to, text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && to.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * A picture of the board with the result beside it.
 * @param {HTMLElement} stage
 * @param {{ title: string, text: string, lines: string[] }} result
 * @returns {Promise<Blob | null>}
 */
function picture(stage, { title, text, lines }) {
  const canvas = h("canvas", { width: WIDTH, height: HEIGHT });
  const to = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const font = style.getPropertyValue("--display").trim() || "sans-serif";
  to.fillStyle = colour("--paper") || "#fff";
  to.fillRect(0, 0, WIDTH, HEIGHT);
  const x = MARGIN + COLUMN;
  drawStage(to, stage, { x, y: MARGIN, width: WIDTH - x - MARGIN, height: HEIGHT - 2 * MARGIN });
  let y = MARGIN + 60;
  /** @param {string} words @param {number} size @param {string} ink */
  function write(words, size, ink) {
    to.fillStyle = colour(ink) || "#000";
    to.font = `700 ${size}px ${font}`;
    for (const line of wrapped(to, words, COLUMN - MARGIN)) {
      to.fillText(line, MARGIN, y);
      y += size * 1.25;
    }
    y += size * 0.4;
  }
  write(title, 34, "--ink-soft");
  write(text, 58, "--ink");
  for (const line of lines) write(line, 28, "--ink");
  y = HEIGHT - MARGIN - 28;
  write(location.host, 28, "--pine");
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/**
 * The two buttons. A phone opens its share sheet; other devices copy the link and save the picture.
 * @param {{ url: string, stage: HTMLElement, result: { title: string, text: string, lines: string[] } }} what
 */
export function shareButtons({ url, stage, result }) {
  const address = new URL(url, location.href).href;
  const words = `${result.title}: ${result.text}`;
  const touch = matchMedia("(pointer: coarse)").matches;

  async function link() {
    if (touch && navigator.share) {
      await navigator.share({ title: words, url: address }).catch(() => {}); // the player closed the sheet
      return;
    }
    try {
      await navigator.clipboard.writeText(address);
      toast(t("Link copied."), { kind: "good" });
    } catch {
      toast(address, { seconds: 0 });
    }
  }

  async function image() {
    const blob = await picture(stage, result);
    if (!blob) return;
    const file = new File([blob], "minesite.png", { type: "image/png" });
    if (touch && navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file], title: words }).catch(() => {});
      return;
    }
    const href = URL.createObjectURL(blob);
    h("a", { href, download: file.name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  return [
    h("button.button.quiet.small", { type: "button", onclick: link }, icon("link"), t("Share link")),
    h("button.button.quiet.small", { type: "button", onclick: image }, icon("copy"), t("Save picture")),
  ];
}
