// Keys that a player can change. createBindings(prefs, mode, actions) -> which key does what.
//
// The preference `keys` stores only changes from the default keys: "<mode>.<action>=s <mode>.<action>=m".

import { t } from "site/i18n.js";

import { setPref } from "./prefs.js";

/** @import { Prefs } from "games/prefs.js" */

/**
 * @typedef {object} Action
 * @property {string} name
 * @property {string} key as `keyOf` gives it
 * @property {string} label
 */

/** The key of an event, as stored: a lower-case letter, a digit, a symbol, or a name. @param {KeyboardEvent} event */
export const keyOf = ({ key }) => (key === " " ? "Space" : key.length === 1 ? key.toLowerCase() : key);

/** @param {string} key */
export const keyText = (key) => (key === "Space" ? t("Space") : key.toUpperCase());

/**
 * @param {Prefs} prefs
 * @param {string} scope
 * @param {Action[]} actions
 * @param {string[]} taken keys that have another use
 */
export function createBindings(prefs, scope, actions, taken = []) {
  /** @returns {Map<string, string>} action to key */
  function chosen() {
    const mine = prefs.keys.split(" ").filter((one) => one.startsWith(`${scope}.`));
    return new Map(
      mine.map((one) => {
        const [name, ...key] = one.slice(scope.length + 1).split("=");
        return [name, key.join("=")];
      }),
    );
  }

  /** @param {Map<string, string>} mine */
  function store(mine) {
    const others = prefs.keys.split(" ").filter((one) => one && !one.startsWith(`${scope}.`));
    setPref(prefs, "keys", [...others, ...[...mine].map(([name, key]) => `${scope}.${name}=${key}`)].join(" "));
  }

  const bindings = {
    actions,
    /** @param {string} name */
    key: (name) => chosen().get(name) ?? actions.find((one) => one.name === name)?.key ?? "",
    /** The action of a key, or null. @param {string} key */
    action: (key) => actions.find(({ name }) => bindings.key(name) === key)?.name ?? null,
    /**
     * Give an action another key; returns why that isn't possible, or null.
     * @param {string} name
     * @param {string} key
     */
    change(name, key) {
      const isPlain = key === "Space" || (key.length === 1 && key.trim() === key);
      if (!isPlain || taken.includes(key)) return t("{key} is already used for something else.", { key: keyText(key) });
      const other = bindings.action(key);
      if (other === name) return null;
      const label = actions.find((one) => one.name === other)?.label;
      if (label) return t("{key} is already the key for “{action}”.", { key: keyText(key), action: label });
      const mine = chosen();
      if (actions.find((one) => one.name === name)?.key === key) mine.delete(name);
      else mine.set(name, key);
      store(mine);
      return null;
    },
    reset: () => store(new Map()),
    get isChanged() {
      return chosen().size > 0;
    },
  };
  return bindings;
}

/** @typedef {ReturnType<typeof createBindings>} Bindings */
