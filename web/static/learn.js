// Lessons: a task is answered without a reload, and solved tasks are remembered in this browser only.
import { initBoard, makeReachable } from "./board.js";
import { initPlacing } from "./placing.js";
import { replaceParts } from "./task-parts.js";

const STORAGE_KEY = "lessons";
const lesson = document.getElementById("lesson");

function loadProgress() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? {};
  } catch {
    return {};
  }
}

function solvedTasks(game) {
  const keys = loadProgress()[game];
  return Array.isArray(keys) ? keys : [];
}

function saveSolved() {
  const { game, task } = lesson.dataset;
  const keys = solvedTasks(game);
  if (keys.includes(task)) return;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...loadProgress(), [game]: [...keys, task] }));
  } catch {
    // A browser that stores nothing shows no progress.
  }
}

// Marks the solved tasks in every list of tasks.
function showSolved() {
  for (const list of document.querySelectorAll(".tasks")) {
    const solved = solvedTasks(list.dataset.game);
    for (const link of list.querySelectorAll("[data-task]")) {
      if (!solved.includes(link.dataset.task) || link.classList.contains("solved")) continue;
      link.classList.add("solved");
      const note = document.createElement("span");
      note.className = "hidden";
      note.textContent = ` (${list.dataset.done})`;
      link.append(note);
    }
  }
}

// Shows how many tasks of a lesson are solved, and lets its button continue at the first that is not.
function showProgress() {
  for (const item of document.querySelectorAll("[data-lesson]")) {
    const keys = item.dataset.keys.trim().split(" ");
    const solved = solvedTasks(item.dataset.lesson).filter((key) => keys.includes(key));
    if (!solved.length) continue;
    const next = keys.findIndex((key) => !solved.includes(key));
    item.querySelector(".progress").textContent = item.dataset.progress.replace("#", solved.length);
    const start = item.querySelector("[data-start]");
    start.href = `${item.dataset.path}/${next + 1 || 1}`;
    start.querySelector(".label").textContent = next < 0 ? item.dataset.again : item.dataset.continue;
  }
}

let latestRequest = 0;

// Loads the board and the controls after further answers; if that fails, the browser loads the whole page.
async function load(url) {
  const request = ++latestRequest;
  const part = new URL(url);
  part.searchParams.set("part", "task");
  let markup = null;
  try {
    const response = await fetch(part);
    if (response.ok) markup = await response.text();
  } catch {
    // Handled below.
  }
  if (request !== latestRequest) return;
  if (markup === null) {
    location.assign(url);
    return;
  }
  replaceParts(markup, afterUpdate);
  history.replaceState(null, "", url);
}

function afterUpdate() {
  // The mistakes of a match have no key: they are no part of a lesson.
  if (lesson.dataset.task && document.getElementById("lesson-controls").dataset.state === "solved") {
    saveSolved();
    showSolved();
  }
}

function initTask() {
  initBoard();
  initPlacing();
  makeReachable();
  afterUpdate();
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = event.target.closest(".cells a, #lesson-controls a[data-answer]");
    if (!link) return;
    event.preventDefault();
    load(new URL(link.getAttribute("href"), location.href).href);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.closest("#lesson-controls")) return;
    event.preventDefault();
    const url = new URL(event.target.action);
    url.search = new URLSearchParams(new FormData(event.target, event.submitter));
    load(url.href);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const back = document.querySelector('#lesson-controls [data-answer="back"]');
    if (back) back.click();
  });
}

if (lesson) initTask();
showSolved();
showProgress();
