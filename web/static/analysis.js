// The analysis board: moves and steps without a reload. The address is always the link of what is shown.
import { initBoard, isInBoard, makeReachable } from "./board.js";
import { initCopy } from "./copy.js";
import { initDrag, markDraggable } from "./drag.js";
import { fetchPart } from "./fragments.js";
import { initPagingKeys } from "./paging.js";
import { initPlacing } from "./placing.js";
import { announce, sentences, showToast, state, textOf, texts } from "./state.js";

const STEPS = ".cells a, #seat-controls a[data-answer], [data-step]";
const controls = () => document.getElementById("seat-controls");

// Saves a comment that is being written, before another position takes the place of its form; returns whether it could.
async function saveComment() {
  const form = document.getElementById("comment-edit");
  const { value, defaultValue } = form.elements.comment;
  if (value === defaultValue) return true;
  const part = new URL(form.action);
  part.searchParams.set("part", "board");
  if (!(await fetchPart(part, { method: "POST", body: new URLSearchParams(new FormData(form)) }))) return false;
  if (textOf("notice")) {
    afterUpdate();
    return false;
  }
  history.pushState(null, "", controls().dataset.url);
  return true;
}

// Loads what a link or a form leads to; a move gets an entry of its own in the browser's history.
async function load(url, isMove = true) {
  // A link that begins with a path names a board of its own.
  if (url.startsWith("?") && !(await saveComment())) return;
  const before = controls().dataset.url;
  // Links are relative to the board that is shown; after a step back that failed the address is another.
  const part = new URL(url, new URL(before, location.href));
  part.searchParams.set("part", "board");
  if (!(await fetchPart(part))) return;
  const { url: shown } = controls().dataset;
  if (isMove && shown !== before) history.pushState(null, "", shown);
  else history.replaceState(null, "", shown);
  afterUpdate();
}

function afterUpdate() {
  state.answers = new URLSearchParams({ answers: controls().dataset.answers });
  if (!isInBoard(document.activeElement)) makeReachable();
  markDraggable();
  showCurrentMove();
  const current = document.querySelector('#log [aria-current="true"]');
  const move = current ? current.textContent.replace(/\s+/g, " ").trim() : "";
  announce(sentences(textOf("notice") || move, textOf("question")));
}

// Scrolls the list alone to the move in view; Element.scrollIntoView would scroll the page too.
function showCurrentMove() {
  const scroll = document.getElementById("scroll");
  const move = scroll.querySelector('[aria-current="true"]');
  if (move) scroll.scrollTop = move.offsetTop - scroll.offsetTop - scroll.clientHeight / 2;
}

function goTo(name) {
  document.querySelector(`#replay-controls [data-step="${name}"]:not([aria-disabled])`)?.click();
}

initBoard(() => state.answers.get("answers")?.split(".").pop());
initDrag((link) => load(link.getAttribute("href")));
initPagingKeys(goTo);
initPlacing();
initCopy((isCopied) => showToast(isCopied ? texts.copied : texts.notCopied));
state.answers = new URLSearchParams({ answers: controls().dataset.answers });
history.replaceState(null, "", controls().dataset.url);
makeReachable();
markDraggable();
showCurrentMove();

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const link = event.target.closest(STEPS);
  if (!link || link.getAttribute("aria-disabled") === "true") return;
  event.preventDefault();
  load(link.getAttribute("href"), !link.closest("#replay-controls"));
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get" || !form.closest("#seat-controls")) return;
  event.preventDefault();
  load(`?${new URLSearchParams(new FormData(form, event.submitter))}`);
});
document.addEventListener("keydown", (event) => {
  const isField = event.target.matches("input[type=text], select, textarea");
  if (event.key === "Escape" && !isField) document.querySelector('#seat-controls [data-answer="back"]')?.click();
});
window.addEventListener("popstate", () => load(location.href, false));
