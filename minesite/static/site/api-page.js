// The API's page: buttons that copy an example.

import { findAll } from "site/dom.js";
import { toast } from "site/toast.js";

for (const button of findAll("[data-copy-code]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.parentElement?.querySelector("pre")?.textContent ?? "";
    await navigator.clipboard.writeText(code);
    toast(button.dataset.done ?? "", { kind: "good" });
  });
}
