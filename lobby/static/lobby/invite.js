// The page of somebody who has a seat: waits for the others, and goes to the match when it begins.
const { token } = JSON.parse(document.getElementById("page-data").textContent);
let taken = null;
let leaving = false;

// A page that is on its way elsewhere must not be called back.
function leave(how) {
  if (leaving) return;
  leaving = true;
  how();
}

const handlers = {
  invitation(message) {
    if (message.token !== token) return;
    if (message.status === "started") {
      leave(() => location.assign(`/match/${message.match}/`));
    } else if (message.status !== "open" || (taken !== null && message.players.length !== taken)) {
      leave(() => location.reload());
    }
    taken = message.players.length;
  },
};

function connect(wait) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/ws/lobby/`);
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

addEventListener("submit", () => leave(() => {}));
connect(500);
startCopy();
