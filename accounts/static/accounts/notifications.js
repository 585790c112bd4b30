// The switch in the settings for notifications on this device. Turning it on is what asks for permission.

import { find, findAll, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";
import { forget, subscription, tell } from "site/push.js";

const section = find("#push");
/** @type {HTMLInputElement} */
const input = find("input[role=switch]", section);
const status = find("[role=status]", section);

/** @type {HTMLFormElement | null} The form in this device's row. */
let turnOff = null;

/** @param {string} text */
function say(text) {
  setText(status, text);
  toggle(status, Boolean(text));
}

/** @param {PushSubscription | null} found */
function show(found) {
  const row = findAll("[data-endpoint]").find(({ dataset }) => dataset.endpoint === found?.endpoint);
  input.checked = Boolean(row);
  if (!row) return;
  find(".badge", row).hidden = false;
  /** @type {HTMLFormElement} */
  const form = find("form", row);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await forget(found).catch(() => {}); // submitting the form removes it from the site anyway
    form.submit();
  });
  turnOff = form;
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(t("Your browser blocks notifications from this site. Allow them in its settings and try again."));
  }
  const { pushManager } = await navigator.serviceWorker.ready;
  // Drop a subscription that the site no longer knows, or that was made with another key.
  await (await pushManager.getSubscription())?.unsubscribe();
  const wanted = { userVisibleOnly: true, applicationServerKey: section.dataset.key };
  const made = await pushManager.subscribe(wanted).catch(() => {
    throw new Error(t("Your browser’s push service isn’t available right now. Try again later."));
  });
  await tell(made);
}

input.addEventListener("change", async () => {
  say("");
  input.disabled = true;
  if (turnOff) return turnOff.requestSubmit();
  try {
    await switchOn();
    location.reload();
  } catch (error) {
    say(/** @type {Error} */ (error).message);
    input.checked = false;
    input.disabled = false;
  }
});

if ("PushManager" in window && "Notification" in window && document.documentElement.dataset.worker) {
  show(await subscription());
  input.disabled = false;
} else {
  say(
    t("This browser can’t show notifications from websites. On an iPhone or iPad, add the site to your home screen."),
  );
}
