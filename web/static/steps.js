// Paging through a match: buttons, slider, list and arrow keys show a turn without loading the page anew.
import { inBoard } from "./board.js";
import { fetchPart } from "./parts.js";
import { address, atLatest, say, state } from "./state.js";

const steps = document.getElementById("steps");
const slider = document.getElementById("slider");
const log = document.getElementById("log");
const scroll = document.getElementById("scroll");
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "latest" };

let loading = false;

// Shows a turn. Whoever pages faster than boards come gets the one wanted last.
export async function go(turn) {
  state.turn = Math.max(0, Math.min(turn, state.last));
  if (atLatest()) state.answers = new URLSearchParams();
  refresh();
  if (loading) return;
  loading = true;
  let shown = null;
  while (shown !== state.turn) {
    shown = state.turn;
    const isLast = shown === state.last;
    history.replaceState(null, "", address(isLast ? null : shown));
    const part = state.seated ? "seat" : "stage";
    if (!(await fetchPart(address(isLast && state.seated ? null : shown, { part })))) break;
  }
  loading = false;
  say(document.getElementById("caption")?.textContent ?? "");
}

export function step(name) {
  const turns = { first: 0, back: state.turn - 1, forward: state.turn + 1, latest: state.last };
  const turn = Math.max(0, Math.min(turns[name], state.last));
  if (turn !== state.turn || name === "latest") go(turn);
}

// Brings everything up to date that says which turn is shown.
export function refresh() {
  steps.hidden = !state.started;
  log.closest(".log").hidden = !state.started;
  slider.max = state.last;
  slider.value = state.turn;
  const hrefs = { first: 0, back: Math.max(0, state.turn - 1), forward: Math.min(state.last, state.turn + 1), latest: null };
  for (const link of steps.querySelectorAll("a")) {
    const name = link.dataset.step;
    link.href = address(hrefs[name]);
    const idle = name === "first" || name === "back" ? state.turn === 0 : atLatest();
    link.toggleAttribute("aria-disabled", idle);
    if (idle) link.setAttribute("aria-disabled", "true");
  }
  if (atLatest()) steps.querySelector('[data-step="latest"]').classList.remove("fresh");
  for (const link of log.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  const line = log.querySelector(`[data-turn="${state.turn}"]`);
  if (line) {
    line.setAttribute("aria-current", "true");
    keepInSight(line);
  }
  for (const link of document.querySelectorAll("#tools [data-keep]")) {
    const url = new URL(link.href);
    if (atLatest()) url.searchParams.delete("turn");
    else url.searchParams.set("turn", state.turn);
    link.href = url;
  }
  const picture = document.querySelector("#tools [data-picture]");
  if (picture) picture.search = atLatest() ? "" : `?turn=${state.turn}`;
}

function keepInSight(line) {
  const top = line.offsetTop - scroll.offsetTop;
  if (top < scroll.scrollTop || top + line.offsetHeight > scroll.scrollTop + scroll.clientHeight) {
    scroll.scrollTop = top - scroll.clientHeight / 2;
  }
}

export function watchSteps() {
  slider.hidden = false;
  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = event.target.closest("[data-step], #log [data-turn]");
    if (!link) return;
    event.preventDefault();
    if (link.dataset.step) step(link.dataset.step);
    else go(Number(link.dataset.turn));
  });
  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || inBoard(event.target)) return;
    if (event.target.closest("input, select, textarea, #scroll:focus") && event.target !== slider) return;
    if (event.target === slider) return;
    event.preventDefault();
    step(name);
  });
  // Whatever opens beside the list may take its room.
  document.addEventListener("toggle", refresh, true);
  refresh();
}
