// What the miniature boards play: { columns, rows, shape, begin: tile per cell, frames: [[change]] }.
// A change is { cell, tile, digit, mark }. The same every time: a small generator with fixed seeds.

function chance(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function around(cell, columns, rows) {
  const [x, y] = [cell % columns, Math.floor(cell / columns)];
  const found = [];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const inside = x + dx >= 0 && x + dx < columns && y + dy >= 0 && y + dy < rows;
      if (inside && (dx || dy)) found.push(cell + dy * columns + dx);
    }
  }
  return found;
}

function field(columns, rows, mines) {
  const mined = new Set(mines);
  const number = (cell) => around(cell, columns, rows).filter((other) => mined.has(other)).length;
  return { mined, number, near: (cell) => around(cell, columns, rows) };
}

const opened = (cell, digit, tile = "open") => ({ cell, tile, digit });

/** Rings of cells that open from a start, as a flood does. */
function flood(board, start, taken) {
  const rings = [];
  let ring = [start];
  taken.add(start);
  while (ring.length) {
    rings.push(ring);
    const next = [];
    for (const cell of ring) {
      if (board.number(cell)) continue;
      for (const other of board.near(cell)) {
        if (taken.has(other) || board.mined.has(other)) continue;
        taken.add(other);
        next.push(other);
      }
    }
    ring = next;
  }
  return rings;
}

/** A board that is cleared: floods, flags, then the rest one by one. */
function clearing(columns, rows, mines, starts, pace = 1) {
  const board = field(columns, rows, mines);
  const taken = new Set();
  const frames = [];
  for (const start of starts) {
    if (taken.has(start)) continue;
    for (const ring of flood(board, start, taken)) {
      frames.push(ring.map((cell) => opened(cell, board.number(cell))));
      for (let wait = 1; wait < pace; wait++) frames.push([]);
    }
    const known = mines.filter((mine) => board.near(mine).some((cell) => taken.has(cell)));
    for (const mine of known) {
      if (taken.has(mine)) continue;
      taken.add(mine);
      frames.push([{ cell: mine, tile: "hidden", mark: "flag" }], ...Array(pace - 1).fill([]));
    }
  }
  return frames;
}

const tiles = (count, tile) => Array.from({ length: count }, () => ({ tile }));

function classic(columns = 13, rows = 6, mines = [4, 18, 22, 38, 47, 55, 62, 68]) {
  const safe = [...Array(columns * rows).keys()].filter((cell) => !mines.includes(cell));
  const frames = clearing(columns, rows, mines, [columns * 2 + 1, ...safe]);
  return { columns, rows, begin: tiles(columns * rows, "hidden"), frames };
}

function hero() {
  return classic(12, 10, [3, 8, 14, 23, 30, 41, 47, 52, 66, 71, 76, 81, 95, 100, 106, 113]);
}

function race() {
  const [columns, rows, half] = [13, 6, 6];
  const mines = [2, 11, 16, 21, 28, 33];
  const safe = [...Array(half * rows).keys()].filter((cell) => !mines.includes(cell));
  const side = (shift, pace) =>
    clearing(half, rows, mines, [18, ...safe], pace).map((frame) =>
      frame.map((change) => ({
        ...change,
        cell: Math.floor(change.cell / half) * columns + (change.cell % half) + shift,
      })),
    );
  const [fast, slow] = [side(0, 1), side(7, 2)];
  const frames = fast.map((frame, at) => [...frame, ...(slow[at] ?? [])]);
  const begin = tiles(columns * rows, "hidden");
  for (let y = 0; y < rows; y++) begin[y * columns + half] = { tile: "nothing" };
  return { columns, rows, begin, frames };
}

function spreading(columns, rows, starts, near, steps, seed) {
  const random = chance(seed);
  const owner = new Map(starts.map((cell, seat) => [cell, seat]));
  const frames = [starts.map((cell, seat) => ({ cell, tile: `seat-${seat + 1}` }))];
  for (let step = 0; step < steps; step++) {
    const changes = [];
    starts.forEach((_, seat) => {
      const rim = [...owner].filter(([, whose]) => whose === seat).flatMap(([cell]) => near(cell));
      const free = [...new Set(rim)].filter((cell) => !owner.has(cell));
      for (let take = 0; take < 2 && free.length; take++) {
        const [cell] = free.splice(Math.floor(random() * free.length), 1);
        owner.set(cell, seat);
        const digit = random() < 0.35 && seat === 0 ? 1 + Math.floor(random() * 3) : 0;
        changes.push({ cell, tile: `seat-${seat + 1}`, digit });
      }
    });
    frames.push(changes);
  }
  return { owner, frames };
}

function areaAttack() {
  const [columns, rows] = [13, 6];
  const near = (cell) => around(cell, columns, rows);
  const { owner, frames } = spreading(columns, rows, [14, 24, 58], near, 13, 7);
  const struck = [...owner].find(([cell, seat]) => seat === 1 && cell % columns < 10)?.[0] ?? 36;
  const region = [struck, ...near(struck)];
  frames.push([{ cell: struck, tile: "blast", mark: "mine" }], [], []);
  frames.push(region.map((cell) => ({ cell, tile: "hidden" })), []);
  frames.push(...region.map((cell) => [{ cell, tile: "seat-1" }]));
  return { columns, rows, begin: tiles(columns * rows, "hidden"), frames };
}

function battleship() {
  const [columns, rows] = [13, 6];
  const ships = [[15, 16, 17, 18, 19], [35, 48, 61], [54, 55, 56], [11, 24]];
  const sea = new Set(ships.flat());
  const shots = [5, 30, 17, 16, 18, 42, 19, 15, 9, 48, 35, 61, 66, 24, 11, 70, 55, 54, 56, 0];
  const struck = new Set();
  const frames = [];
  for (const shot of shots) {
    struck.add(shot);
    frames.push([sea.has(shot) ? { cell: shot, tile: "hit", mark: "hit" } : { cell: shot, tile: "sea", mark: "miss" }], []);
    const ship = ships.find((cells) => cells.includes(shot));
    if (ship?.every((cell) => struck.has(cell))) frames.push(ship.map((cell) => ({ cell, tile: "sunk", mark: "hit" })));
  }
  return { columns, rows, begin: tiles(columns * rows, "sea"), frames };
}

function hexes(cell, columns, rows) {
  const [x, y] = [cell % columns, Math.floor(cell / columns)];
  const odd = y % 2;
  const steps = [[1, 0], [-1, 0], [odd, 1], [odd - 1, 1], [odd, -1], [odd - 1, -1]];
  return steps
    .map(([dx, dy]) => [x + dx, y + dy])
    .filter(([a, b]) => a >= 0 && a < columns && b >= 0 && b < rows)
    .map(([a, b]) => b * columns + a);
}

function minewars() {
  const [columns, rows] = [12, 7];
  const lake = [5, 17, 29, 40, 66, 78, 79];
  const near = (cell) => hexes(cell, columns, rows).filter((other) => !lake.includes(other));
  const { frames } = spreading(columns, rows, [26, 57], near, 15, 3);
  const begin = tiles(columns * rows, "land");
  for (const cell of lake) begin[cell] = { tile: "sea" };
  for (const cell of [26, 57, 9]) begin[cell] = { tile: "land", mark: "city" };
  frames[0] = frames[0].map((change) => ({ ...change, mark: "city" }));
  return { columns, rows, shape: "hex", begin, frames };
}

export const SCENES = { hero, classic, race, "area-attack": areaAttack, battleship, minewars };
