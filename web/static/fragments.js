// HTML fragments from the server that replace the elements with the same ids.
import { animateFrom, readPieces } from "./animate.js";
import { updateClocks } from "./clock.js";
import { announce, showToast, texts } from "./state.js";
import { formatTimes } from "./times.js";

let currentRequest = null;
// The form that is being sent, as a promise. Nothing aborts it: its answer is the new state of the page.
let submission = null;
let isPointerDown = false;
let onRelease = [];

// Replaces every element on the page whose id occurs at the top level of `markup`. Keeps focus where possible.
export function replaceParts(markup) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  const focus = saveFocus();
  const pieces = readPieces();
  for (const replacement of [...parsed.body.children]) {
    const old = replacement.id && document.getElementById(replacement.id);
    if (old) {
      keepOpen(old, replacement);
      old.replaceWith(replacement);
      // After the end paging comes first, as in match.html.
      if (replacement.matches(".seat-controls.over")) document.getElementById("replay-controls").after(replacement);
    }
  }
  restoreFocus(focus);
  animateFrom(pieces);
  formatTimes();
  updateClocks();
  return parsed;
}

export const isLoading = () => currentRequest !== null;
export const isSubmitting = () => submission !== null;

// Fetches fragments and replaces them on the page; returns whether it did. A new request aborts the one before, but
// waits for a form that is being sent. With `isBackground` nothing is replaced while a button of the pointer is down.
export async function fetchPart(url, { isBackground = false, ...options } = {}) {
  while (submission) await submission;
  if (currentRequest) currentRequest.abort();
  const request = new AbortController();
  currentRequest = request;
  const loading = load(url, { ...options, signal: request.signal }, isBackground).finally(() => {
    if (currentRequest === request) currentRequest = null;
    if (submission === loading) submission = null;
  });
  if (options.method === "POST") submission = loading;
  return loading;
}

async function load(url, options, isBackground) {
  try {
    const response = await fetch(url, { ...options, credentials: "same-origin" });
    const markup = await response.text();
    if (isBackground) await pointerReleased();
    if (options.signal.aborted) return false;
    if (!response.ok) {
      document.dispatchEvent(new CustomEvent("board:unchanged"));
      const error = new DOMParser().parseFromString(markup, "text/html").getElementById("error");
      showToast(error ? error.textContent : texts.failed);
      announce(error ? error.textContent : texts.failed);
      return false;
    }
    replaceParts(markup);
    return true;
  } catch (error) {
    if (error.name !== "AbortError") {
      document.dispatchEvent(new CustomEvent("board:unchanged"));
      showToast(texts.failed);
    }
    return false;
  }
}

// Resolves once no button of the pointer is down and the click that may follow has been handled: a click on an
// element that was replaced in between would be lost.
function pointerReleased() {
  return isPointerDown ? new Promise((resolve) => onRelease.push(resolve)) : Promise.resolve();
}

function setPointerDown(isDown) {
  isPointerDown = isDown;
  if (isDown) return;
  const waiting = onRelease;
  onRelease = [];
  setTimeout(() => { for (const resolve of waiting) resolve(); });
}

document.addEventListener("pointerdown", () => setPointerDown(true), true);
document.addEventListener("pointerup", () => setPointerDown(false), true);
document.addEventListener("pointercancel", () => setPointerDown(false), true);

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
  const wasAtSeat = Boolean(element.closest(".cells, #seat-controls"));
  return { element, id: element.id, cell, wasAtSeat, wasInEnds: Boolean(element.closest("#ends")) };
}

function restoreFocus(focus) {
  if (!focus || focus.element.isConnected) return;
  const same = focus.id && focus.id !== "seat-controls" && document.getElementById(focus.id);
  const summary = focus.wasInEnds && document.querySelector("#ends summary");
  if (same) {
    same.focus({ preventScroll: true });
    if (same.matches("input[type=text]")) same.select();
  } else if (summary) {
    summary.focus({ preventScroll: true });
  } else if (focus.wasAtSeat) {
    document.dispatchEvent(new CustomEvent("board:focus", { detail: focus.cell }));
  }
}
