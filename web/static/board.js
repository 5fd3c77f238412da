// The cells of a board in play: one of those on offer is in the order of the tab key, arrows lead to the others.
const ON_OFFER = ".cells .open, .cells .switch";
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function inBoard(element) {
  return Boolean(element && element.closest && element.closest(".cells"));
}

// Gives the keyboard a way in: at `wanted`, or else at the first cell on offer.
export function enter(wanted) {
  const offered = [...document.querySelectorAll(ON_OFFER)];
  const first = offered.find((one) => one.dataset.cell === wanted) || offered[0];
  for (const one of offered) one.setAttribute("tabindex", one === first ? "0" : "-1");
  return first;
}

export function watchBoard() {
  document.addEventListener("board:focus", (event) => {
    const target = enter(event.detail) ?? document.querySelector("#confirm button") ?? document.querySelector("#question");
    if (target) target.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    const here = event.target;
    if (!inBoard(here)) return;
    if (WAYS[event.key]) {
      event.preventDefault();
      const next = nearest(here, WAYS[event.key]);
      if (next) {
        enter(next.dataset.cell);
        next.focus();
      }
    } else if (event.key === " " || (event.key === "Enter" && here.matches(".switch"))) {
      event.preventDefault();
      activate(here);
    } else if (event.key === "Escape") {
      const back = document.querySelector('#ask [data-answer="back"]');
      if (back) back.click();
    }
  });
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

function middle(cell) {
  const square = cell.matches("rect") ? cell : cell.querySelector("rect");
  return [Number(square.getAttribute("x")), Number(square.getAttribute("y"))];
}

// The cell on offer that lies nearest in a direction; straight ahead counts more than aside.
function nearest(from, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const one of document.querySelectorAll(ON_OFFER)) {
    const [ox, oy] = middle(one);
    const ahead = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (ahead > 0 && ahead + 3 * aside < least) {
      least = ahead + 3 * aside;
      best = one;
    }
  }
  return best;
}
