// The turn in the making: every link and form of a seat is answered by its parts alone.
import { enter } from "./board.js";
import { fetchPart } from "./parts.js";
import { refresh } from "./steps.js";
import { say, sentences, state } from "./state.js";

const ANSWERS = ["board", "answers", "text", "take", "ticked", "then"];

// Asks for the seat with the answers given so far.
export function reload() {
  return ask(state.answers);
}

async function ask(query, options = {}) {
  const url = new URL(state.path, location.href);
  url.searchParams.set("part", "seat");
  if (state.side !== state.usual) url.searchParams.set("side", state.side);
  for (const [name, value] of query) if (ANSWERS.includes(name)) url.searchParams.append(name, value);
  const put = await fetchPart(url, options);
  if (put) settle(query);
  return put;
}

function settle(query) {
  const stage = document.getElementById("stage");
  state.answers = query;
  state.last = Math.max(state.last, Number(stage.dataset.last));
  state.turn = Number(stage.dataset.turn);
  enter();
  refresh();
  const notice = document.getElementById("notice");
  const question = document.getElementById("question");
  say((notice ?? question ?? document.getElementById("standing")).textContent);
  entitle();
}

// A title that says whose turn it is, for those who look elsewhere meanwhile.
export function entitle() {
  const awaited = document.getElementById("ask")?.dataset.awaited === "yes";
  const bare = document.title.replace(/^● [^·]*· /, "");
  document.title = awaited ? `● ${sentences.turn} · ${bare}` : bare;
}

export function watchPlay() {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = event.target.closest(".cells a, #ask a[data-answer]");
    if (!link) return;
    event.preventDefault();
    ask(new URL(link.getAttribute("href"), location.href).searchParams);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#ask")) return;
    const data = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === "get") {
      event.preventDefault();
      ask(data);
      return;
    }
    if (form.action.endsWith("/lock")) return;
    event.preventDefault();
    send(form, data);
  });
  enter();
  entitle();
}

async function send(form, data) {
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  const put = await fetchPart(`${form.getAttribute("action")}?part=seat`, { method: "POST", body: data });
  if (put) settle(new URLSearchParams());
  else for (const button of form.querySelectorAll("button")) button.disabled = false;
}
