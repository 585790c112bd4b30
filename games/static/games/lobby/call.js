// When the queue, a challenge or a rematch starts a match: alert the player and open the match page.

import { callBack } from "site/call.js";
import { t } from "site/i18n.js";

import { modeTitle } from "../modes.js";
import { loadPrefs } from "../prefs.js";
import { createSound } from "../sound/sound.js";
import { goTo } from "./shared.js";

const HEARD = 500; // ms that the sound lasts; leaving the page would cut it off

let called = "";

/**
 * Alert the player that a match begins, and open its page.
 * @param {{ url: string, mode: string }} match
 */
export function callToMatch({ url, mode }) {
  if (called === url) return;
  called = url;
  const prefs = loadPrefs();
  callBack({ text: t("Your match is starting"), body: modeTitle(mode), url, tag: url });
  createSound(prefs).play("start");
  if (prefs.sound && navigator.userActivation?.hasBeenActive) setTimeout(() => goTo(url), HEARD);
  else goTo(url);
}
