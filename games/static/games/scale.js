// Numbers for the axes of a plot.

/**
 * The next round number above: 1, 2 or 5 times a power of ten, or one of other `steps`.
 * @param {number} value
 */
export function ceiling(value, steps = [1, 2, 5, 10]) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return steps.map((step) => step * power).find((top) => top >= value * 0.999) ?? value;
}

/** @param {number | null | undefined} value */
export function short(value) {
  if (value === null || value === undefined) return "–";
  if (value >= 10000) return `${Math.round(value / 1000)}k`;
  return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));
}
