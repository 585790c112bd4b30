// h("div.card.wide", { title: "x", onclick }, child, "text") -> an element. Null children are left out.

export function h(what, properties = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A drawing from site/icons.svg; the page says where that is. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${document.querySelector("[data-icons]").dataset.icons}#${name}`);
  svg.append(use);
  return svg;
}

/** Set the text only when it differs: no needless work, and no repeated announcements. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function toggle(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}
