// Parts of the page, fetched as markup and put in the place of the ones with the same id.
import { say, sentences, show } from "./state.js";

let latest = 0;
let running = null;

// Puts every element with an id where the page has one of that id; focus stays where it can.
export function put(markup) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  const focus = remember();
  for (const fresh of [...parsed.body.children]) {
    const old = fresh.id && document.getElementById(fresh.id);
    if (old) {
      keepOpen(old, fresh);
      old.replaceWith(fresh);
    }
  }
  restore(focus);
  tellTimes();
  return parsed;
}

// Tells every time as the visitor's own clock and language have it.
export function tellTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

// Fetches a part of this site; of several asked for at once only the last is put. Tells whether it was put.
export async function fetchPart(url, options = {}) {
  const mine = ++latest;
  if (running) running.abort();
  running = new AbortController();
  try {
    const answer = await fetch(url, { ...options, signal: running.signal, credentials: "same-origin" });
    const markup = await answer.text();
    if (mine !== latest) return false;
    if (!answer.ok) {
      const refusal = new DOMParser().parseFromString(markup, "text/html").getElementById("refusal");
      show(refusal ? refusal.textContent : sentences.failed);
      say(refusal ? refusal.textContent : sentences.failed);
      return false;
    }
    put(markup);
    return true;
  } catch (error) {
    if (error.name !== "AbortError") show(sentences.failed);
    return false;
  }
}

function keepOpen(old, fresh) {
  for (const details of old.querySelectorAll("details[open][id]")) {
    const same = fresh.querySelector(`details#${details.id}`);
    if (same) same.open = true;
  }
}

function remember() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const cell = element.dataset ? element.dataset.cell : undefined;
  return { element, id: element.id, cell, inBoard: Boolean(element.closest(".cells")), inAsk: Boolean(element.closest("#ask")) };
}

function restore(focus) {
  if (!focus || focus.element.isConnected) return;
  const same = focus.id && document.getElementById(focus.id);
  if (same) {
    same.focus({ preventScroll: true });
  } else if (focus.inBoard) {
    document.dispatchEvent(new CustomEvent("board:focus", { detail: focus.cell }));
  } else if (focus.inAsk) {
    const next = document.querySelector("#confirm button") ?? document.querySelector("#question");
    if (next) next.focus({ preventScroll: true });
  }
}
