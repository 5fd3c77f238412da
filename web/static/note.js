// The private note is saved without a reload, so that a turn that is being entered stays.
import { fetchPart } from "./fragments.js";
import { announce, textOf } from "./state.js";

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
}
