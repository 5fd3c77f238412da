// The board and the controls of a task, or of a puzzle, after an answer.
import { isInBoard, makeReachable } from "./board.js";

const TYPING = ".other:has([name=text])";

// Replaces the board and the controls by those in `markup`; `afterUpdate` is called before anything scrolls.
export function replaceParts(markup, afterUpdate) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  const focused = document.activeElement;
  const wasInBoard = isInBoard(focused);
  const wasInControls = Boolean(focused && focused.closest("#lesson-controls"));
  const cell = wasInBoard ? focused.dataset.cell : undefined;
  const open = [".task-hint", TYPING].filter((one) => document.querySelector(one)?.open);
  for (const id of ["lesson-board", "lesson-controls"]) {
    document.getElementById(id).replaceWith(parsed.getElementById(id));
  }
  for (const found of open.map((one) => document.querySelector(one))) if (found) found.open = true;
  const reachable = makeReachable(cell);
  const next = document.getElementById("go-on");
  const question = document.getElementById("question");
  if (next && (wasInBoard || wasInControls)) next.focus({ preventScroll: true });
  else if (wasInBoard && reachable) reachable.focus({ preventScroll: true });
  else if ((wasInBoard || wasInControls) && question) question.focus({ preventScroll: true });
  announce();
  afterUpdate();
  document.getElementById("lesson-controls").scrollIntoView({ block: "nearest" });
}

function announce() {
  const region = document.getElementById("live-region");
  const spoken = ["notice", "verdict", "question"].map((id) => document.getElementById(id)).find(Boolean);
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = spoken ? spoken.textContent : ""; });
}
