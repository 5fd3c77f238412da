// The controls of a seat: links and forms are sent with fetch, and only the changed parts of the page are replaced.
import { makeReachable } from "./board.js";
import { fetchPart } from "./fragments.js";
import { updateControls } from "./replay.js";
import { announce, state, texts } from "./state.js";

const QUERY_FIELDS = ["board", "answers", "text", "take", "ticked", "then"];

// Loads the seat's parts again with the answers given so far.
export function reload() {
  return loadSeat(state.answers);
}

async function loadSeat(query, options = {}) {
  const url = new URL(state.path, location.href);
  url.searchParams.set("part", "seat");
  if (state.side !== state.defaultSide) url.searchParams.set("side", state.side);
  for (const [name, value] of query) if (QUERY_FIELDS.includes(name)) url.searchParams.append(name, value);
  const isReplaced = await fetchPart(url, options);
  if (isReplaced) afterUpdate(query);
  return isReplaced;
}

function afterUpdate(query) {
  const board = document.getElementById("board");
  state.answers = query;
  state.last = Math.max(state.last, Number(board.dataset.last));
  state.turn = Number(board.dataset.turn);
  makeReachable();
  updateControls();
  const notice = document.getElementById("notice");
  const question = document.getElementById("question");
  announce((notice ?? question ?? document.getElementById("status")).textContent);
  updateTitle();
}

// Marks the title when it is the player's turn, for tabs in the background.
export function updateTitle() {
  const isAwaited = document.getElementById("seat-controls")?.dataset.awaited === "yes";
  const title = document.title.replace(/^● [^·]*· /, "");
  document.title = isAwaited ? `● ${texts.yourTurn} · ${title}` : title;
}

export function initSeat() {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = event.target.closest(".cells a, #seat-controls a[data-answer]");
    if (!link) return;
    event.preventDefault();
    loadSeat(new URL(link.getAttribute("href"), location.href).searchParams);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#seat-controls")) return;
    const data = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === "get") {
      event.preventDefault();
      loadSeat(data);
      return;
    }
    // Leaving the seat leads to another page.
    if (form.action.endsWith("/lock")) return;
    event.preventDefault();
    submitForm(form, data);
  });
  makeReachable();
  updateTitle();
}

async function submitForm(form, data) {
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  const url = `${form.getAttribute("action")}?part=seat`;
  const isReplaced = await fetchPart(url, { method: "POST", body: data });
  if (isReplaced) afterUpdate(new URLSearchParams());
  else for (const button of form.querySelectorAll("button")) button.disabled = false;
}
