// Keyboard control of the board (roving tabindex): one selectable cell is in the tab order, arrow keys move among them.

const SELECTABLE = ".cells .open, .cells .switch";
const ARROW_DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function isInBoard(element) {
  return Boolean(element && element.closest && element.closest(".cells"));
}

// Puts one selectable cell into the tab order and returns it: the `preferred` one, or else the first.
export function makeReachable(preferred) {
  const cells = [...document.querySelectorAll(SELECTABLE)];
  const first = cells.find((one) => one.dataset.cell === preferred) || cells[0];
  for (const one of cells) one.setAttribute("tabindex", one === first ? "0" : "-1");
  return first;
}

// Marks the pieces that would change if a cell were chosen; without a cell, none.
export function showChanges(cell) {
  for (const one of document.querySelectorAll(".cells .changes")) one.classList.remove("changes");
  for (const name of cell?.dataset.changes?.split(" ") ?? []) {
    document.querySelector(`.cells [data-cell="${name}"]`)?.classList.add("changes");
  }
}

// `lastChosen` returns the cell that was chosen last, if any.
export function initBoard(lastChosen = () => undefined) {
  // The cell that was chosen last by default, so that a step back leads to it.
  const focusTarget = (name = lastChosen()) => {
    const cell = makeReachable(name);
    const others = ["#confirm button", "#question", "#seat-controls"].map((one) => document.querySelector(one));
    return document.querySelector("#sure .question") ?? cell ?? others.find(Boolean);
  };
  document.addEventListener("board:focus", (event) => focusTarget(event.detail ?? undefined)?.focus({ preventScroll: true }));
  // Followed by the browser, the link to the board would be an entry in its history: each way back to that entry, as
  // after a turn, would take the focus away.
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    const main = document.getElementById("main");
    main.tabIndex = -1;
    (focusTarget() ?? main).focus();
  });
  document.addEventListener("keydown", (event) => {
    const focused = event.target;
    if (!isInBoard(focused)) return;
    if (ARROW_DIRECTIONS[event.key]) {
      event.preventDefault();
      const next = nearest(focused, ARROW_DIRECTIONS[event.key]);
      if (next) {
        makeReachable(next.dataset.cell);
        next.focus();
      }
    } else if (event.key === " " || (event.key === "Enter" && focused.matches(".switch"))) {
      event.preventDefault();
      if (!event.repeat) activate(focused);
    }
  });
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => showChanges(event.target.closest?.(".cells [data-cell]")));
  }
  document.addEventListener("click", (event) => {
    const cell = event.target.closest && event.target.closest(".cells .switch");
    if (cell) toggle(cell);
  });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("#many input[type=checkbox]")) return;
    const cell = document.querySelector(`.cells .switch[data-cell="${event.target.value}"]`);
    if (cell) cell.setAttribute("aria-checked", String(event.target.checked));
  });
}

function activate(cell) {
  if (cell.matches(".switch")) toggle(cell);
  else cell.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

function toggle(cell) {
  const box = document.querySelector(`#many input[value="${cell.dataset.cell}"]`);
  if (!box) return;
  box.checked = !box.checked;
  cell.setAttribute("aria-checked", String(box.checked));
}

function position(cell) {
  const square = cell.matches("rect") ? cell : cell.querySelector("rect");
  return [Number(square.getAttribute("x")), Number(square.getAttribute("y"))];
}

// Returns the nearest selectable cell in a direction. Distance sideways counts three times.
function nearest(from, [dx, dy]) {
  const [x, y] = position(from);
  let best = null;
  let shortest = Infinity;
  for (const one of document.querySelectorAll(SELECTABLE)) {
    const [ox, oy] = position(one);
    const ahead = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (ahead > 0 && ahead + 3 * aside < shortest) {
      shortest = ahead + 3 * aside;
      best = one;
    }
  }
  return best;
}
