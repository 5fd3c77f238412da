// Puzzles: turns are entered and sent without a reload.
import { initBoard, makeReachable } from "./board.js";
import { initPlacing } from "./placing.js";
import { replaceParts } from "./task-parts.js";

const puzzle = document.getElementById("lesson");
let latestRequest = 0;

// Sends answers, with all that the page's address says; if that fails, the browser does what `otherwise` says.
async function send(fields, otherwise) {
  const request = ++latestRequest;
  fields.set("part", "puzzle");
  let markup = null;
  try {
    const response = await fetch(puzzle.dataset.send, { method: "POST", body: fields });
    if (response.ok) markup = await response.text();
  } catch {
    // Handled below.
  }
  if (request !== latestRequest) return;
  if (markup === null) {
    otherwise();
    return;
  }
  replaceParts(markup, () => {});
  history.replaceState(null, "", document.getElementById("lesson-controls").dataset.url);
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const link = event.target.closest(".cells a, #lesson-controls a[data-answer]");
  if (!link) return;
  event.preventDefault();
  const url = new URL(link.getAttribute("href"), location.href);
  send(url.searchParams, () => location.assign(url));
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("#lesson-controls form") || form.matches("[data-act]")) return;
  event.preventDefault();
  send(new URLSearchParams(new FormData(form, event.submitter)), () => form.submit());
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const back = document.querySelector('#lesson-controls [data-answer="back"]');
  if (back) back.click();
});
initBoard();
initPlacing();
makeReachable();
