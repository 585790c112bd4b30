// The line under the header, for what must not be missed: "return to your match".

export function showBanner(text, { href, label }) {
  const link = Object.assign(document.createElement("a"), {
    href,
    textContent: label,
    className: "button primary small",
  });
  const words = Object.assign(document.createElement("span"), { textContent: text });
  document.getElementById("banner").replaceChildren(words, link);
}

export function hideBanner() {
  document.getElementById("banner").replaceChildren();
}
