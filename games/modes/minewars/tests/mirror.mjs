// Compares the browser's mirrors with what the engine said: `node mirror.mjs FOLDER FILE`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const part = (name) => import(pathToFileURL(`${folder}/${name}.js`).href);
const parts = ["topology", "legal", "camera", "usable", "tools"].map(part);
const [{ createTopology }, { createLegal }, camera, { createUsable }, { TOOLS }] = await Promise.all(parts);
const { maps, asked, roads, bars } = JSON.parse(readFileSync(file, "utf8"));

for (const { topology, radius, coords, neighbours, sides, ring, opposites, discs, distances } of maps) {
  const topo = createTopology(topology, radius);
  assert.equal(topo.size, coords.length);
  const sorted = (cells) => [...cells].sort((a, b) => a - b);
  for (let cell = 0; cell < topo.size; cell++) {
    assert.deepEqual([topo.xs[cell], topo.ys[cell]], coords[cell]);
    assert.deepEqual(sorted(topo.neighbours[cell]), sorted(neighbours[cell]));
    assert.deepEqual(sorted(topo.sides[cell]), sorted(sides[cell]));
    assert.deepEqual(topo.ring[cell], ring[cell]);
    assert.deepEqual(topo.opposites(cell), opposites[cell]);
    assert.deepEqual(topo.disc(cell, 3), discs[cell]);
    assert.equal(topo.distance(0, cell), distances[cell]);
  }
  // Every cell is found at its middle and just inside its corners, at every zoom.
  for (const scale of [6, 13, 28, 47, 96]) {
    const view = { ...camera.createCamera(topo), scale, x: 123, y: -77 };
    for (let cell = 0; cell < topo.size; cell++) {
      const { x, y } = camera.place(view, cell);
      assert.equal(camera.cellAt(view, x, y), cell);
      const centre = camera.centreOf(topo, cell);
      for (const [dx, dy] of camera.outline(topo, scale * 0.99)) {
        assert.equal(camera.cellAt(view, view.x + centre.x * scale + dx, view.y + centre.y * scale + dy), cell);
      }
    }
  }
}

const codes = new Map();
for (const { topology, radius, options, game, action, t, code } of asked) {
  const legal = createLegal(createTopology(topology, radius), () => game, options);
  assert.equal(legal.check(action, t), code, JSON.stringify({ action, t }));
  codes.set(code, (codes.get(code) ?? 0) + 1);
}
for (const { topology, radius, options, game, cells, links } of roads) {
  const legal = createLegal(createTopology(topology, radius), () => game, options);
  assert.deepEqual(legal.newLinks(cells), links, `roads on ${cells}`);
}
for (const { topology, radius, options, game, t, cell, chosen, tools } of bars) {
  const topo = createTopology(topology, radius);
  const legal = createLegal(topo, () => game, options);
  const actionOf = (tool, cells) =>
    tool.name === "clear" && legal.ownJob(cells[0]) ? { type: "cancel", cell: cells[0] } : tool.action(cells);
  const usable = createUsable(legal, () => ({ size: topo.size, game }), actionOf);
  for (const tool of TOOLS.filter(({ name }) => name in tools)) {
    const cells = tool.many && chosen.length ? chosen : [cell];
    const { why } = usable.ask(tool, actionOf(tool, cells), t);
    assert.equal(why, tools[tool.name], `${tool.name} at ${cells}`);
  }
}
console.log(JSON.stringify(Object.fromEntries(codes)));
