// The layer of cells as plain pixels: sprites are copied row by row into one buffer, and the changed part
// goes to the canvas in one call. Without a graphics card this is many times faster than drawing 10,000 small
// images (bench/browser.py compares them).

/** @param {CanvasRenderingContext2D} ctx */
export function createPixels(ctx) {
  let image = ctx.createImageData(1, 1);
  let buffer = new Uint32Array(image.data.buffer);
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0]; // the changed part

  /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
  function include(x0, y0, x1, y1) {
    if (x0 < left) left = x0;
    if (y0 < top) top = y0;
    if (x1 > right) right = x1;
    if (y1 > bottom) bottom = y1;
  }

  return {
    /** @param {number} width @param {number} height */
    clear(width, height) {
      if (image.width === width && image.height === height) buffer.fill(0);
      else {
        image = ctx.createImageData(width, height);
        buffer = new Uint32Array(image.data.buffer);
      }
      include(0, 0, width, height);
    },
    /**
     * Copy a square of pixels (Uint32Array of size x size).
     * @param {Uint32Array} pixels
     * @param {number} size
     * @param {number} x
     * @param {number} y
     */
    blit(pixels, size, x, y) {
      const { width, height } = image;
      const [x0, y0] = [Math.max(0, x), Math.max(0, y)];
      const [x1, y1] = [Math.min(width, x + size), Math.min(height, y + size)];
      if (x0 >= x1 || y0 >= y1) return;
      include(x0, y0, x1, y1);
      // A plain loop: a cell's row is too short for typed array methods, which would need a garbage view for
      // each row.
      for (let row = y0; row < y1; row++) {
        let from = (row - y) * size + x0 - x;
        const end = row * width + x1;
        for (let to = row * width + x0; to < end; to++) buffer[to] = pixels[from++];
      }
    },
    /** @param {number} colour @param {number} x @param {number} y @param {number} across @param {number} down */
    fill(colour, x, y, across, down) {
      const { width, height } = image;
      const [x0, y0] = [Math.max(0, x), Math.max(0, y)];
      const [x1, y1] = [Math.min(width, x + across), Math.min(height, y + down)];
      if (x0 >= x1 || y0 >= y1) return;
      include(x0, y0, x1, y1);
      for (let row = y0; row < y1; row++) buffer.fill(colour, row * width + x0, row * width + x1);
    },
    flush() {
      if (left >= right) return;
      ctx.putImageData(image, 0, 0, left, top, right - left, bottom - top);
      [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
    },
  };
}
