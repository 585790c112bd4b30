import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.location = { protocol: "http:", host: "site.example" };
globalThis.addEventListener = () => {};
globalThis.document = { addEventListener() {} };

const { createLobbySocket } = await import("games/lobby/socket.js");

class FakeSocket {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    FakeSocket.last = this;
  }
  send() {}
  close() {}
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A lobby socket that received these messages before any listener was added. */
function greeted(t, ...messages) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const socket = createLobbySocket(() => "/ws/lobby/", FakeSocket);
  socket.open();
  const receive = (message) => FakeSocket.last.onmessage({ data: JSON.stringify(message) });
  for (const message of [{ type: "hello" }, ...messages]) receive(message);
  return { socket, receive };
}

/** The types of the messages that a new listener receives. */
async function heard(socket, ...types) {
  const told = [];
  for (const type of types) socket.follow(type, (message) => told.push(message.type));
  await settled();
  return told;
}

test("a part of the page that starts late learns that its player waits", async (t) => {
  const { socket, receive } = greeted(t, { type: "queued" }, { type: "bot_offer" });
  const told = [];
  socket.follow("queued", ({ type }) => told.push(type));
  socket.follow("unqueued", ({ type }) => told.push(type));
  assert.deepEqual(told, [], "only once the caller's own code has run");
  await settled();
  receive({ type: "unqueued" });
  assert.deepEqual(told, ["queued", "unqueued"]);
});

test("a queue that was left is no longer told", async (t) => {
  const { socket } = greeted(t, { type: "queued" }, { type: "bot_offer" }, { type: "unqueued" });
  assert.deepEqual(await heard(socket, "queued", "requeued", "bot_offer", "unqueued"), []);
});

test("the last ticket and the last numbers replace those before them", async (t) => {
  const { socket } = greeted(t, { type: "queued" }, { type: "requeued" }, { type: "presence" }, { type: "presence" });
  assert.deepEqual(await heard(socket, "queued", "requeued", "presence"), ["requeued", "presence"]);
});

test("a greeting replaces everything before it", async (t) => {
  const { socket } = greeted(t, { type: "queued" }, { type: "challenge" }, { type: "hello" });
  assert.deepEqual(await heard(socket, "hello", "queued", "challenge"), ["hello"]);
});

test("a message that came and went before the listener's turn is not told", async (t) => {
  const { socket, receive } = greeted(t, { type: "queued" });
  const told = [];
  socket.follow("queued", ({ type }) => told.push(type));
  receive({ type: "unqueued" });
  await settled();
  assert.deepEqual(told, []);
});
