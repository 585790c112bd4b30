// Plain Node `ws`: the least a JavaScript server can do. No accounts, no rooms service, no storage.
// ws://host/<room>/<seat>, where any other seat than 0 and 1 watches.

import { WebSocketServer } from "ws";
import { Board, HOST, PORT } from "./claim.mjs";

const rooms = new Map();
const server = new WebSocketServer({ host: HOST, port: PORT, perMessageDeflate: false, maxPayload: 8192 });

server.on("connection", (socket, request) => {
  const [, name, place] = request.url.split("/");
  const seat = Number(place);
  let room = rooms.get(name);
  if (!room) rooms.set(name, (room = { board: new Board(), sockets: new Set() }));
  room.sockets.add(socket);
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    if (message.type !== "claim" || (seat !== 0 && seat !== 1)) return;
    if (!room.board.claim(message.cell, seat)) {
      socket.send(JSON.stringify({ type: "refused", cell: message.cell }));
      return;
    }
    const delta = JSON.stringify({ type: "claimed", cell: message.cell, seat });
    for (const member of room.sockets) member.send(delta);
  });
  socket.on("close", () => {
    room.sockets.delete(socket);
    if (room.sockets.size === 0) rooms.delete(name);
  });
  socket.send(JSON.stringify({ type: "welcome", seat }));
});
server.on("listening", () => console.log("ready"));
