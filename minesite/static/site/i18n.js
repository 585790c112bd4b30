// t("Hello {name}", { name }) in the page's language; n("{n} match", "{n} matches", 3) by number.
// English is in the code itself. Another language's catalogue is fetched once, before any module that
// imports this one runs; if that fails, the page stays in English.

/** @param {string} address @returns {Promise<{ texts?: Record<string, any>, plural?: string }>} */
async function load(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

// Node, which runs the tests of some modules, has no document.
const page = typeof document === "undefined" ? null : document.documentElement;
// Admin pages, whose frame comes from Django, have the catalogue's address in a meta element.
const address = page?.dataset.catalogue ?? page?.querySelector("meta[name=catalogue]")?.getAttribute("content");
const { texts = {}, plural = "n != 1" } = address ? await load(address) : {};

/**
 * @type {Record<string, (count: number) => number>} The plural rules of the site's languages; add new ones here.
 */
const PLURALS = { "n != 1": (count) => Number(count !== 1), "n > 1": (count) => Number(count > 1) };

/** @param {string} text @param {Record<string, any>} params */
const fill = (text, params) => text.replace(/\{(\w+)\}/g, (all, name) => params[name] ?? all);

/** @param {string} text @param {Record<string, any>} [params] @returns {string} */
export function t(text, params = {}) {
  return fill(texts[text] ?? text, params);
}

/**
 * @param {string} one
 * @param {string} many
 * @param {number} count
 * @param {Record<string, any>} [params]
 * @returns {string}
 */
export function n(one, many, count, params = {}) {
  const which = (PLURALS[plural] ?? PLURALS["n != 1"])(count);
  const found = texts[one]?.[which];
  return fill(found ?? (count === 1 ? one : many), { n: count, ...params });
}

export const language = page?.lang || "en";

/** @param {string[]} names @returns {string} "Ada, Ben and Cleo", as the page's language joins them */
export const listed = (names) => new Intl.ListFormat(language === "en" ? "en-GB" : language).format(names);

// The text of a refusal or an error: the translation of its text or its code, else its text as received.
/** @param {{ code?: string, text?: string }} error @returns {string} */
export function errorText({ code, text = "" }) {
  return texts[text] ?? texts[`error.${code}`] ?? (text || t("That didn’t work. Please try again."));
}
