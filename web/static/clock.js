// Clocks count down by the server's time: the page says what time it was there when it was made. Screen readers do
// not read them; the deadline is told in words.
import { texts } from "./state.js";

const TICK_MILLISECONDS = 1000;
const HOUR = 3600;
const page = document.getElementById("match");
// A page that the browser kept for its Back button says an old time; then the browser's own clock counts.
const isKept = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
const offset = isKept ? 0 : Date.parse(page.dataset.now) - Date.now();

// Shows the remaining time of every clock that runs.
export function updateClocks() {
  for (const clock of document.querySelectorAll(".clock[data-ends]")) {
    const seconds = Math.max(0, Math.floor((Date.parse(clock.dataset.ends) - Date.now() - offset) / 1000));
    const text = format(seconds);
    const shown = clock.querySelector(".left-time");
    if (shown.textContent !== text) shown.textContent = text;
    clock.classList.toggle("low", seconds < HOUR);
  }
}

function format(seconds) {
  const hours = Math.floor(seconds / HOUR);
  if (hours >= 24) return texts.days.replace("{days}", Math.floor(hours / 24)).replace("{hours}", hours % 24);
  const pair = (number) => String(number).padStart(2, "0");
  return `${hours}:${pair(Math.floor(seconds / 60) % 60)}:${pair(seconds % 60)}`;
}

export function initClocks() {
  updateClocks();
  setInterval(() => { if (!document.hidden) updateClocks(); }, TICK_MILLISECONDS);
  document.addEventListener("visibilitychange", updateClocks);
}
