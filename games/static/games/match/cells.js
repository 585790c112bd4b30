// Describes a cell to screen readers: its position, face and owner.

import { t } from "site/i18n.js";

import * as F from "../board/faces.js";

/** @import { Picture } from "games/board/types.d.ts" */

/** @type {Record<number, string>} */
const FACE_TEXTS = {
  0: t("empty"),
  [F.EXPOSED]: t("known mine"),
  [F.HIDDEN]: t("hidden"),
  [F.FLAG]: t("flag"),
  [F.QUESTION]: t("question mark"),
  [F.STRUCK]: t("exploded mine"),
  [F.MINE]: t("mine"),
  [F.WRONG_FLAG]: t("wrong flag"),
  [F.PLAIN]: t("open"),
  [F.START]: t("hidden, start here"),
  [F.SEA]: t("not bombed"),
  [F.MISS]: t("miss"),
  [F.HIT]: t("hit"),
  [F.SUNK]: t("sunk ship"),
};

/** @param {Picture} picture @param {number} cell @param {(seat: number) => string} [nameOf] */
export function describeCell({ width, faces, owners }, cell, nameOf = () => "") {
  const at = t("Row {row}, column {column}", { row: Math.floor(cell / width) + 1, column: (cell % width) + 1 });
  const what = FACE_TEXTS[faces[cell]] ?? String(faces[cell]);
  const whose = owners[cell] === F.NOBODY ? "" : nameOf(owners[cell]);
  return `${at}: ${what}${whose ? `, ${whose}` : ""}`;
}
