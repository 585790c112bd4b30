// Every tile at a moment of a finished match, from the timeline that the server builds from the log.
// Headless.

/**
 * @typedef {object} Timeline games/modes/minewars/timeline.py
 * @property {number[]} tiles codes at the start
 * @property {[number, number[]][]} changes match time; cells and their new codes by turns
 * @property {[number, [number, number, number][]][]} figures match time; cities, tiles and money of each empire
 */

/**
 * tilesOver(timeline) -> at(time): the codes at this match time. Each call applies only the changes since the
 * last.
 * @param {Timeline} timeline
 */
export function tilesOver({ tiles: start, changes }) {
  const tiles = [...start];
  /** The codes that each change replaced, to undo it. @type {number[][]} */
  const before = [];
  let done = 0;

  /** @param {number[]} flat */
  function apply(flat) {
    const replaced = [];
    for (let i = 0; i < flat.length; i += 2) {
      replaced.push(flat[i], tiles[flat[i]]);
      tiles[flat[i]] = flat[i + 1];
    }
    return replaced;
  }

  /** @param {number} time */
  return (time) => {
    while (done < changes.length && changes[done][0] <= time) {
      before[done] = apply(changes[done][1]);
      done += 1;
    }
    while (done > 0 && changes[done - 1][0] > time) {
      done -= 1;
      apply(before[done]);
    }
    return tiles;
  };
}
