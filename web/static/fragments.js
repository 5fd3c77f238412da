// HTML fragments from the server that replace the elements with the same ids.
import { announce, showToast, texts } from "./state.js";

let latestRequest = 0;
let currentRequest = null;

// Replaces every element on the page whose id occurs at the top level of `markup`. Keeps focus where possible.
export function replaceParts(markup) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  const focus = saveFocus();
  for (const replacement of [...parsed.body.children]) {
    const old = replacement.id && document.getElementById(replacement.id);
    if (old) {
      keepOpen(old, replacement);
      old.replaceWith(replacement);
    }
  }
  restoreFocus(focus);
  formatTimes();
  return parsed;
}

// Shows every time in the visitor's time zone and language.
export function formatTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

// Fetches fragments and replaces them on the page; returns whether it did. A new request aborts the one before.
export async function fetchPart(url, options = {}) {
  const requestNumber = ++latestRequest;
  if (currentRequest) currentRequest.abort();
  currentRequest = new AbortController();
  try {
    const response = await fetch(url, { ...options, signal: currentRequest.signal, credentials: "same-origin" });
    const markup = await response.text();
    if (requestNumber !== latestRequest) return false;
    if (!response.ok) {
      const error = new DOMParser().parseFromString(markup, "text/html").getElementById("error");
      showToast(error ? error.textContent : texts.failed);
      announce(error ? error.textContent : texts.failed);
      return false;
    }
    replaceParts(markup);
    return true;
  } catch (error) {
    if (error.name !== "AbortError") showToast(texts.failed);
    return false;
  }
}

// Opens the <details> elements of `replacement` that the visitor has opened in `old`.
function keepOpen(old, replacement) {
  for (const details of old.querySelectorAll("details[open][id]")) {
    const same = replacement.querySelector(`details#${details.id}`);
    if (same) same.open = true;
  }
}

function saveFocus() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const cell = element.dataset ? element.dataset.cell : undefined;
  const wasInBoard = Boolean(element.closest(".cells"));
  const wasInControls = Boolean(element.closest("#seat-controls"));
  return { element, id: element.id, cell, wasInBoard, wasInControls };
}

function restoreFocus(focus) {
  if (!focus || focus.element.isConnected) return;
  const same = focus.id && document.getElementById(focus.id);
  if (same) {
    same.focus({ preventScroll: true });
  } else if (focus.wasInBoard) {
    document.dispatchEvent(new CustomEvent("board:focus", { detail: focus.cell }));
  } else if (focus.wasInControls) {
    const next = document.querySelector("#confirm button") ?? document.querySelector("#question");
    if (next) next.focus({ preventScroll: true });
  }
}
