// The keys that page through a game or a line: arrows, Home and End, unless they mean something where the focus is.
import { isInBoard } from "./board.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "latest" };

// Calls `goTo` with the name of the step. The slider moves by itself.
export function initPagingKeys(goTo) {
  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || isInBoard(event.target)) return;
    if (event.target.closest("input, select, textarea, #scroll:focus")) return;
    event.preventDefault();
    goTo(name);
  });
}
