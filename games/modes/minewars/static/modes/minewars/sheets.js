// Sprite sheets: small pictures of one size on shared canvases. A canvas per picture would cost more than its
// content, and a single canvas would be copied whole whenever a picture is added.

const SIDE = 512; // device pixels, about

/** @typedef {{ canvas: HTMLCanvasElement, x: number, y: number }} Sprite */

/**
 * createSheets(width, height) -> { add(draw), put(ctx, sprite, x, y) }
 * @param {number} width
 * @param {number} height
 */
export function createSheets(width, height) {
  const [across, down] = [width, height].map((side) => Math.max(1, Math.floor(SIDE / side)));
  const [middleX, middleY] = [Math.floor(width / 2), Math.floor(height / 2)];
  /** @type {CanvasRenderingContext2D | null} */
  let ctx = null;
  let used = 0;

  function next() {
    if (!ctx || used === across * down) {
      const canvas = document.createElement("canvas");
      canvas.width = across * width;
      canvas.height = down * height;
      ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      used = 0;
    }
    const at = used++;
    return { ctx, x: (at % across) * width, y: Math.floor(at / across) * height };
  }

  return {
    /** Draw a picture around (0, 0). @param {(ctx: CanvasRenderingContext2D) => void} draw @returns {Sprite} */
    add(draw) {
      const { ctx: to, x, y } = next();
      to.save();
      to.beginPath();
      to.rect(x, y, width, height);
      to.clip();
      to.translate(x + middleX, y + middleY);
      draw(to);
      to.restore();
      return { canvas: to.canvas, x, y };
    },

    /** Copy a picture to where its middle is (x, y). @param {CanvasRenderingContext2D} to @param {Sprite} sprite @param {number} x @param {number} y */
    put(to, sprite, x, y) {
      to.drawImage(sprite.canvas, sprite.x, sprite.y, width, height, x - middleX, y - middleY, width, height);
    },
  };
}
