// "Play at once": a turn that was entered completely is played after three seconds, unless it is undone before. Leaving
// the page, hiding it, or looking at another board plays it at once; any other step of the turn cancels it.
import { isOn } from "./preferences.js";
import { announce, sentences, textOf, texts } from "./state.js";

const WAIT_MILLISECONDS = 3000;

// The turn that waits: its form as text, when it began to wait, and its timer.
let pending = null;
let play = null;

const form = () => document.getElementById("confirm");
const keyOf = (one) => new URLSearchParams(new FormData(one)).toString();

export const isPending = () => pending !== null;

// Lets the turn that is shown wait to be played, if the player wants that.
export function startPending() {
  if (!isOn("at_once") || !form()) return;
  cancelPending();
  pending = { key: keyOf(form()), start: performance.now(), timer: setTimeout(playPending, WAIT_MILLISECONDS) };
  showPending();
  announce(sentences(textOf("question"), texts.pending));
}

// Shows the turn as one that waits for Confirm again.
export function cancelPending() {
  if (!pending) return;
  clearTimeout(pending.timer);
  pending = null;
  showLabels("confirm", "stepBack", "preview");
}

// Goes on waiting after the page was updated, unless the turn is no longer the one that was entered.
export function keepPending() {
  if (!pending) return;
  if (form() && keyOf(form()) === pending.key) showPending();
  else cancelPending();
}

// Plays the turn that waits, if there is one; resolves to whether nothing speaks against leaving this board.
export async function playPending() {
  if (!pending) return true;
  clearTimeout(pending.timer);
  pending = null;
  showLabels("playNow", "", "sending");
  const isPlayed = await play(form());
  if (!isPlayed) showLabels("confirm", "stepBack", "preview");
  return isPlayed && !document.getElementById("notice");
}

function showPending() {
  showLabels("playNow", "undo", "pending");
  form().style.setProperty("--elapsed", `${pending.start - performance.now()}ms`);
}

// Labels the form's button, its link back (without a label it is hidden), and the sentence below.
function showLabels(button, link, hint) {
  const confirm = form();
  if (!confirm) return;
  const back = confirm.querySelector('[data-answer="back"]');
  confirm.classList.toggle("pending", link === "undo");
  back.hidden = !link;
  back.textContent = texts[link] ?? "";
  confirm.querySelector("button").textContent = texts[button];
  document.getElementById("preview-hint").textContent = texts[hint];
}

// A link or a form that leads away from the board waits until the turn is played.
async function leaveLater(event) {
  if (!pending || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const exit = event.type === "submit" ? event.target : event.target.closest?.('a[href]:not([href^="#"])');
  if (!exit || exit.closest("#seat-controls, .cells, #preferences")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { submitter } = event;
  if (!(await playPending()) || !exit.isConnected) return;
  if (event.type === "submit") exit.requestSubmit(submitter);
  else exit.click();
}

// `send` sends a form and resolves to whether the page shows its answer.
export function initPending(send) {
  play = send;
  document.addEventListener("click", leaveLater, true);
  document.addEventListener("submit", leaveLater, true);
  document.addEventListener("visibilitychange", () => { if (document.hidden) playPending(); });
  window.addEventListener("pagehide", playPending);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Backspace" || !pending || event.target.matches("input[type=text]")) return;
    event.preventDefault();
    form().querySelector('[data-answer="back"]').click();
  });
}
