// Makes the samples of /style/ work.
import { showBanner } from "site/banner.js";
import { confirmDialog } from "site/dialog.js";
import { find } from "site/dom.js";
import { toast } from "site/toast.js";

/** @param {string} id @param {() => void} run */
const on = (id, run) => find(`#${id}`).addEventListener("click", run);

on("show-toast", () => toast("Saved", { kind: "good" }));
on("show-bad-toast", () => toast("The match was aborted", { kind: "bad", action: { label: "Why?", href: "#why" } }));
on("show-banner", () => showBanner("Your match against Grace goes on.", { href: "#match", label: "Return" }));
on("show-dialog", async () => {
  const yes = await confirmDialog({
    title: "Surrender?",
    text: "Your opponent wins the match.",
    yes: "Surrender",
    no: "Play on",
    danger: true,
  });
  toast(yes ? "Surrendered" : "Played on");
});
