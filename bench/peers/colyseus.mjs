// Colyseus, with messages that are broadcast at once: the state patches, which wait for their
// interval, are off. Nothing is stored.

import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Board, HOST, PORT } from "./claim.mjs";

class ClaimRoom extends Room {
  onCreate() {
    this.maxClients = 100;
    this.patchRate = null;
    this.board = new Board();
    this.seats = new Map();
    this.onMessage("claim", (client, message) => {
      const seat = this.seats.get(client.sessionId);
      if (seat === undefined || !this.board.claim(message.cell, seat)) {
        client.send("refused", { cell: message.cell });
      } else {
        this.broadcast("claimed", { cell: message.cell, seat });
      }
    });
  }

  onJoin(client, options) {
    if (options.seat === 0 || options.seat === 1) this.seats.set(client.sessionId, options.seat);
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport() });
server.define("claim", ClaimRoom);
await server.listen(PORT, HOST);
console.log("ready");
