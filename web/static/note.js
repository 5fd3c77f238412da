// The private note is saved without a reload, so that a turn that is being entered stays. The browser asks before a page
// is left whose note is not saved.
import { fetchPart } from "./fragments.js";
import { announce, textOf } from "./state.js";

function askBeforeLeaving(event) {
  const text = document.getElementById("note-text");
  if (text && text.value !== text.defaultValue) event.preventDefault();
}

export function initNote() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.closest("#note")) return;
    event.preventDefault();
    const url = new URL(form.action);
    url.searchParams.set("part", "note");
    const body = new URLSearchParams(new FormData(form, event.submitter));
    if (await fetchPart(url, { method: "POST", body })) announce(textOf("note-state"));
  });
  // Only once something was typed: a page with this listener cannot be kept for the browser's Back.
  document.addEventListener("input", (event) => {
    if (event.target.id === "note-text") window.addEventListener("beforeunload", askBeforeLeaving);
  });
}
