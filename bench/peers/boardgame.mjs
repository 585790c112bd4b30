// boardgame.io, without undo. It sends whole states here, although it can send patches: finding the
// patch between two boards of 900 cells took it longer than sending the board (measured: 1.4 ms a
// move this way, 2.8 ms and more with patches).
// Matches are kept in its default in-memory storage.

import { createRequire } from "node:module";
import { CELLS, HOST, PORT } from "./claim.mjs";

const require = createRequire(import.meta.url);
const { Server } = require("boardgame.io/server");
const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");

const game = {
  name: "claim",
  minPlayers: 2,
  maxPlayers: 2,
  deltaState: false,
  disableUndo: true,
  setup: () => ({ owners: Array(CELLS).fill(-1) }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    claim: {
      move: ({ G, playerID }, cell) => {
        if (!Number.isInteger(cell) || cell < 0 || cell >= CELLS || G.owners[cell] !== -1) return INVALID_MOVE;
        G.owners[cell] = Number(playerID);
      },
      // Both may move at any time, so a move need not name the newest state.
      ignoreStaleStateID: true,
    },
  },
};

const server = Server({ games: [game], origins: [/localhost|127\.0\.0\.1/] });
// It would listen on every address of the machine.
const listen = server.app.listen;
server.app.listen = (port, ...rest) => listen.call(server.app, port, HOST, ...rest);
await server.run({ port: PORT });
console.log("ready");
