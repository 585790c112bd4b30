// The cells' layer as plain pixels: sprites are copied row by row into one buffer, and what changed goes
// to the canvas at once. Without a graphics card this is many times quicker than drawing 10,000 small
// images (bench/browser.py has them side by side).

export function createPixels(ctx) {
  let image = null;
  let buffer = null;
  let changed = null; // { left, top, right, bottom }

  function include(left, top, right, bottom) {
    if (!changed) changed = { left, top, right, bottom };
    else {
      changed.left = Math.min(changed.left, left);
      changed.top = Math.min(changed.top, top);
      changed.right = Math.max(changed.right, right);
      changed.bottom = Math.max(changed.bottom, bottom);
    }
  }

  /** The part of a rectangle that is inside, or null. */
  function inside(x, y, width, height) {
    const left = Math.max(0, x);
    const top = Math.max(0, y);
    const right = Math.min(image.width, x + width);
    const bottom = Math.min(image.height, y + height);
    if (left >= right || top >= bottom) return null;
    include(left, top, right, bottom);
    return { left, top, right, bottom };
  }

  return {
    clear(width, height) {
      if (image?.width === width && image.height === height) buffer.fill(0);
      else {
        image = ctx.createImageData(width, height);
        buffer = new Uint32Array(image.data.buffer);
      }
      include(0, 0, width, height);
    },
    /** Copy a square of pixels (Uint32Array of size x size). */
    blit(pixels, size, x, y) {
      const part = inside(x, y, size, size);
      if (!part) return;
      const { left, top, right, bottom } = part;
      for (let row = top; row < bottom; row++) {
        const from = (row - y) * size + (left - x);
        buffer.set(pixels.subarray(from, from + right - left), row * image.width + left);
      }
    },
    fill(colour, x, y, width, height) {
      const part = inside(x, y, width, height);
      if (!part) return;
      for (let row = part.top; row < part.bottom; row++) {
        buffer.fill(colour, row * image.width + part.left, row * image.width + part.right);
      }
    },
    flush() {
      if (!changed) return;
      const { left, top, right, bottom } = changed;
      ctx.putImageData(image, 0, 0, left, top, right - left, bottom - top);
      changed = null;
    },
  };
}
