// Turns input on the map into events: "act" { kind, cell }, "menu" cell (right button held, long press, the
// menu key), "lift" { x, y } where that press ended if it moved, "drag" { phase, cell } while the player
// draws with the armed tool, and "hover" cell. All other input moves the map: a drag, the wheel, two fingers.

/** @typedef {import("./board.js").WarBoard} WarBoard */

const SLACK = 6; // CSS pixels that a mouse may move during a click
const FINGER_SLACK = 12;
const RING_AFTER = 110; // ms until the ring of a long press shows
const HELD = 250; // ms until the right button opens the menu

/** Steps by key: on hexagons W, E, Y/Z and X are the diagonals. @type {Record<string, [number, number]>} */
const HEX_STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  w: [0, -1],
  e: [1, -1],
  z: [-1, 1],
  y: [-1, 1],
  x: [0, 1],
};
/** @type {Record<string, [number, number]>} */
const SQUARE_STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The cell that a key moves to; null if it isn't a movement key.
 * @param {import("./topology.js").Topology} topo
 * @param {number} from
 * @param {string} key
 */
export function step(topo, from, key) {
  const [x, y] = [topo.xs[from], topo.ys[from]];
  if (topo.hexagonal && (key === "ArrowUp" || key === "ArrowDown")) {
    // Up and down alternate between left and right, to stay in the column.
    const down = key === "ArrowDown";
    const right = Math.abs(y) % 2 === 1;
    const by = down ? (right ? [0, 1] : [-1, 1]) : right ? [1, -1] : [0, -1];
    const next = topo.at(x + by[0], y + by[1]);
    return next < 0 ? from : next;
  }
  const by = (topo.hexagonal ? HEX_STEPS : SQUARE_STEPS)[key];
  if (!by) return null;
  const next = topo.at(x + by[0], y + by[1]);
  return next < 0 ? from : next;
}

/**
 * @param {WarBoard} board
 * @param {HTMLElement} surface
 * @param {{ interactive: boolean }} options
 * @returns {() => void} stops it
 */
export function startInput(board, surface, { interactive }) {
  const stopping = new AbortController();
  /** @type {Map<number, { x: number, y: number }>} */
  const pointers = new Map();
  /** @type {{ x: number, y: number, cell: number, button: number, moved: boolean, drawing: boolean, last: number, began: number, touch: boolean, done: boolean } | null} */
  let press = null;
  /** @type {{ far: number, scale: number, x: number, y: number } | null} */
  let pinch = null;
  let ticking = 0;
  let long = false; // the touch that just ended was a long press

  /** @param {string} type @param {(event: any) => void} run @param {AddEventListenerOptions} how */
  const listen = (type, run, how = {}) => surface.addEventListener(type, run, { ...how, signal: stopping.signal });

  /** @param {MouseEvent} event */
  function local(event) {
    const box = surface.getBoundingClientRect();
    return { x: event.clientX - box.x, y: event.clientY - box.y };
  }

  /** @param {{ x: number, y: number }} at */
  const cellAt = ({ x, y }) => board.cellAt(x, y);

  /** @param {"primary" | "secondary"} kind @param {number} cell @param {any} event */
  function act(kind, cell, event) {
    if (!interactive || !board.state.enabled || cell < 0) return;
    board.emit("act", { kind, cell, shift: event?.shiftKey, touch: event?.pointerType === "touch" });
  }

  function endPress() {
    cancelAnimationFrame(ticking);
    if (board.state.press) board.set({ press: null });
    press = null;
  }

  function tick() {
    if (!press || press.done || press.moved) return;
    const age = performance.now() - press.began;
    const enough = press.touch ? (board.prefs.long_press_ms ?? 350) : HELD;
    if (age >= enough) {
      press.done = true;
      board.set({ press: null });
      if (press.touch && board.prefs.haptics !== false) navigator.vibrate?.(25);
      if (board.menu) return board.emit("menu", press.cell);
      return act("secondary", press.cell, null);
    }
    if (age > RING_AFTER && press.touch)
      board.set({ press: { cell: press.cell, progress: (age - RING_AFTER) / (enough - RING_AFTER) } });
    ticking = requestAnimationFrame(tick);
  }

  /** @param {PointerEvent} event */
  function startPress(event) {
    const at = local(event);
    const cell = cellAt(at);
    const touch = event.pointerType === "touch";
    const drawing = interactive && board.state.enabled && board.state.drawing && event.button === 0 && cell >= 0;
    press = { ...at, cell, button: event.button, moved: false, drawing, last: cell, began: 0, touch, done: false };
    if (!interactive || !board.state.enabled) return;
    if ((touch || event.button === 2) && cell >= 0) {
      press.began = performance.now();
      tick();
    }
  }

  function startPinch() {
    if (press?.drawing && press.moved) board.emit("drag", { phase: "cancel", cell: -1 });
    endPress();
    const [a, b] = [...pointers.values()];
    const far = Math.hypot(a.x - b.x, a.y - b.y);
    pinch = { far, scale: board.state.camera.scale, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  function movePinch() {
    if (!pinch) return;
    const [a, b] = [...pointers.values()];
    const { ratio } = board.state.camera;
    const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    board.pan((x - pinch.x) * ratio, (y - pinch.y) * ratio);
    const far = Math.hypot(a.x - b.x, a.y - b.y);
    board.zoomTo(pinch.scale * (far / Math.max(1, pinch.far)), x * ratio, y * ratio);
    Object.assign(pinch, { x, y });
  }

  /** @param {PointerEvent} event */
  function movePress(event) {
    if (!press) return;
    const at = local(event);
    const slack = press.touch ? FINGER_SLACK : SLACK;
    if (!press.moved) {
      if (Math.hypot(at.x - press.x, at.y - press.y) <= slack) return;
      if (press.done || press.button === 2) return;
      press.moved = true;
      if (board.state.press) board.set({ press: null });
      if (press.drawing) board.emit("drag", { phase: "start", cell: press.cell, touch: press.touch });
    }
    if (press.drawing) {
      const cell = cellAt(at);
      if (cell >= 0 && cell !== press.last) board.emit("drag", { phase: "move", cell, touch: press.touch });
      press.last = cell;
      return;
    }
    const { ratio } = board.state.camera;
    board.pan((at.x - press.x) * ratio, (at.y - press.y) * ratio);
    Object.assign(press, at);
  }

  /** @param {number} cell */
  function hover(cell) {
    if (cell === board.state.hover) return;
    board.state.hover = cell;
    board.emit("hover", cell);
  }

  listen("pointerdown", (event) => {
    if (event.button === 1) event.preventDefault(); // no auto-scroll
    surface.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, local(event));
    if (board.state.cursorShown) board.set({ cursorShown: false });
    if (pointers.size === 1) startPress(event);
    else if (pointers.size === 2) startPinch();
  });
  listen("pointermove", (event) => {
    if (event.pointerType !== "touch") hover(cellAt(local(event)));
    // Keys act on the tile under the pointer or the cursor, whichever moved last.
    const moved = event.pointerType !== "touch" && (event.movementX || event.movementY);
    if (moved && board.state.cursorShown) board.set({ cursorShown: false });
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, local(event));
    if (pinch && pointers.size === 2) movePinch();
    else if (pointers.size === 1) movePress(event);
  });
  /** @param {PointerEvent} event */
  const lift = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size < 2) pinch = null;
    const was = press;
    if (!was || pointers.size) return;
    // A quick drag may end at a place that no pointermove reported.
    if (event.type === "pointerup") movePress(event);
    endPress();
    long = was.done;
    if (was.moved) {
      if (was.drawing)
        board.emit("drag", { phase: event.type === "pointerup" ? "end" : "cancel", cell: was.last, touch: was.touch });
      return;
    }
    if (event.type !== "pointerup") return;
    if (was.done) {
      // At the edge of the map the menu opens beside its tile, so only a press that moved can choose an
      // order.
      const { x, y } = local(event);
      const moved = Math.hypot(x - was.x, y - was.y) > FINGER_SLACK;
      return void (moved && board.emit("lift", { x: event.clientX, y: event.clientY }));
    }
    if (was.button === 2) return act("secondary", was.cell, event);
    if (was.button !== 0) return;
    if (was.cell >= 0) board.state.cursor = was.cell;
    act("primary", was.cell, event);
  };
  listen("pointerup", lift);
  listen("pointercancel", lift);
  // Otherwise the browser turns the touch into a click on the menu that opened under the finger.
  listen("touchend", (event) => long && event.cancelable && event.preventDefault(), { passive: false });
  listen("pointerleave", () => hover(-1));
  listen("contextmenu", (event) => interactive && event.preventDefault());
  listen(
    "wheel",
    (event) => {
      // Let the replay page keep scrolling.
      if (!interactive && !event.ctrlKey && !board.state.camera.touched) return;
      event.preventDefault();
      const { x, y } = local(event);
      const { ratio } = board.state.camera;
      board.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), x * ratio, y * ratio);
    },
    { passive: false },
  );

  listen("keydown", (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const { topo, cursor, cursorShown } = board.state;
    // A letter moves the cursor only while it is shown; for mouse users the letter selects a tool.
    const key = event.key.length > 1 ? event.key : cursorShown ? event.key.toLowerCase() : "";
    const next = step(topo, cursor, key);
    if (next !== null) {
      board.set({ cursor: next, cursorShown: true });
      board.reveal(next);
      board.emit("hover", next);
    } else if (event.key === "ContextMenu" && board.menu) board.emit("menu", cursor);
    else if (event.key === "Enter" && !board.confirm?.()) {
      board.set({ cursorShown: true });
      if (!event.repeat) act("primary", cursor, event);
    } else if (event.key === "+" || event.key === "=") board.zoom(1.25);
    else if (event.key === "-") board.zoom(0.8);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  listen("focus", () => {
    if (surface.matches(":focus-visible")) board.set({ cursorShown: true });
  });
  listen("blur", () => board.set({ cursorShown: false }));

  return () => {
    endPress();
    stopping.abort();
  };
}
