// Builds elements: h("div.card.wide", { title: "x", onclick }, child, "text") -> an element. Skips null
// children.

/** @import { Child, ElementOf, Properties } from "./types.d.ts" */

/**
 * @template {string} What
 * @param {What} what a tag and classes
 * @param {Properties} properties event listeners (on…), properties of the element, or attributes
 * @param {(Child | Child[])[]} children
 * @returns {ElementOf<What>}
 */
export function h(what, properties = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-")) Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return /** @type {ElementOf<What>} */ (element);
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * An icon from site/icons.svg; the page has the file's address.
 * @param {string} name
 */
export function icon(name) {
  const { icons = "" } = find("[data-icons]").dataset;
  return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `${icons}#${name}` }));
}

/**
 * The first matching element, which must exist.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {T}
 */
export function find(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`This page has no ${selector}.`);
  return /** @type {T} */ (found);
}

/**
 * All matching elements.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {T[]}
 */
export const findAll = (selector, root = document) => /** @type {T[]} */ ([...root.querySelectorAll(selector)]);

/**
 * The closest matching ancestor of an event's target.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {T | null}
 */
export function closest({ target }, selector) {
  return target instanceof Element ? /** @type {T | null} */ (target.closest(selector)) : null;
}

/**
 * The drawing context of a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function context2d(canvas, settings) {
  const context = canvas.getContext("2d", settings);
  if (!context) throw new Error("This browser can't draw on a canvas.");
  return context;
}

/**
 * The page's data from the JSON script with this id.
 * @param {string} id
 */
export const pageData = (id = "page-data") => JSON.parse(find(`#${id}`).textContent ?? "null");

/**
 * Set the text only when it differs: no needless work, and no repeated announcements.
 * @param {Node} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLElement} element @param {boolean} shown */
export function toggle(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}
