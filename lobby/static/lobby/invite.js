// The page of somebody who has a seat: waits for the others, and goes to the match when it begins.
const { token } = JSON.parse(document.getElementById("page-data").textContent);
let taken = null;
let socket = null;

const handlers = {
  matched(message) {
    if (message.source === "invite") location.assign(message.url);
  },
  invitation(message) {
    if (message.token !== token) return;
    if (message.status === "started") {
      location.assign(`/match/${message.match}/`);
    } else if (message.status !== "open" || (taken !== null && message.players.length !== taken)) {
      location.reload();
    }
    taken = message.players.length;
  },
};

function connect(wait) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/ws/lobby/`);
  socket.addEventListener("message", (event) => {
    wait = 500;
    const message = JSON.parse(event.data);
    handlers[message.type]?.(message);
  });
  socket.addEventListener("close", (event) => {
    if (event.code !== 4003) setTimeout(() => connect(Math.min(wait * 2, 10000)), wait);
  });
}

function startCopy() {
  const button = document.querySelector("[data-copy]");
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).value);
  });
}

function startLeave() {
  const button = document.querySelector("[data-leave]");
  button.hidden = false;
  button.addEventListener("click", () => {
    socket.send(JSON.stringify({ type: "invite_leave", token }));
    location.assign("/");
  });
}

connect(500);
startCopy();
startLeave();
