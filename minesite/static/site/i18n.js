// t("Hello {name}", { name }) -> the sentence in the page's language, with the parameters filled in.
// n("{n} mine", "{n} mines", 3) -> the form for that number.
// The catalogue is <script type="application/json" id="catalogue">{"Hello {name}": "..."}</script>; a
// sentence that is not in it stays as it is.

function read() {
  const element = typeof document === "undefined" ? null : document.getElementById("catalogue");
  return element ? JSON.parse(element.textContent) : {};
}

const catalogue = read();

const fill = (text, params) => text.replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole);

export function t(text, params = {}) {
  return fill(catalogue[text] ?? text, params);
}

export function n(one, many, count, params = {}) {
  return t(count === 1 ? one : many, { n: count, ...params });
}
