// Animates the change from one board to the next: a piece that is somewhere else slides there, one that changes its
// colour turns over, others fade. It compares the pieces of the two pictures, and never delays what the player does.
const SLIDE = { duration: 180, easing: "ease-out" };
const TURN = { duration: 220, easing: "ease-in-out" };
const FADE = { duration: 260, easing: "ease-out" };
// Of a piece that is shown while the server plays it (placing.js).
const CHOSEN_OPACITY = 0.85;
// With more changes than this (a jump over many turns) there is nothing to follow.
const MAX_CHANGES = 24;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let isSkipped = false;

// Shows the next change of the board at once, because the player has moved the piece by hand.
export function skipAnimation() {
  isSkipped = true;
}

// Returns the pieces of the displayed board, or null.
export function readPieces() {
  const svg = document.querySelector("#board svg");
  if (!svg) return null;
  const pieces = [...svg.querySelectorAll("use.piece")].map((use) => {
    const look = svg.getElementById(use.getAttribute("href").slice(1));
    return { use, look, key: look.innerHTML, x: Number(use.getAttribute("x")), y: Number(use.getAttribute("y")) };
  });
  return { svg, view: svg.getAttribute("viewBox"), pieces };
}

// Animates the displayed board, if it is another one than `before`.
export function animateFrom(before) {
  const isWanted = !isSkipped && !calm.matches;
  const after = before && readPieces();
  if (!after || after.svg === before.svg) return;
  isSkipped = false;
  if (!isWanted || after.view !== before.view || document.hidden) return;
  const placeOf = (piece) => `${piece.x} ${piece.y}`;
  const old = new Map(before.pieces.map((piece) => [placeOf(piece), piece]));
  const now = new Map(after.pieces.map((piece) => [placeOf(piece), piece]));
  const added = after.pieces.filter((piece) => old.get(placeOf(piece))?.key !== piece.key);
  let removed = before.pieces.filter((piece) => now.get(placeOf(piece))?.key !== piece.key);
  if (added.length + removed.length > MAX_CHANGES) return;
  const chosen = before.svg.querySelector(".placed.chosen");
  const isShown = (piece) => chosen?.getAttribute("x") === String(piece.x) && chosen.getAttribute("y") === String(piece.y);
  for (const piece of added) {
    const turned = removed.find((one) => placeOf(one) === placeOf(piece));
    const moved = turned ? null : nearest(piece, removed.filter((one) => one.key === piece.key && !now.has(placeOf(one))));
    removed = removed.filter((one) => one !== turned && one !== moved);
    if (turned) turnOver(after.svg, turned, piece);
    else if (moved) slide(piece, moved);
    else piece.use.animate([{ opacity: isShown(piece) ? CHOSEN_OPACITY : 0 }, { opacity: 1 }], FADE);
  }
  for (const piece of removed) fade(after.svg, piece);
}

function nearest(piece, others) {
  const distance = (one) => Math.hypot(one.x - piece.x, one.y - piece.y);
  return others.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

function slide(piece, from) {
  const start = `translate(${from.x - piece.x}px, ${from.y - piece.y}px)`;
  piece.use.animate([{ transform: start }, { transform: "none" }], SLIDE);
}

function turnOver(svg, from, piece) {
  const squeezed = (width) => `translate(${piece.x}px, ${piece.y}px) scaleX(${width}) translate(${-piece.x}px, ${-piece.y}px)`;
  piece.use.animate([{ transform: squeezed(0) }, { transform: squeezed(0), offset: 0.5 }, { transform: squeezed(1) }], TURN);
  const flat = `translate(${from.x}px, ${from.y}px) scaleX(0)`;
  const shape = addGhost(svg, from);
  const whole = `translate(${from.x}px, ${from.y}px) scaleX(1)`;
  removeAfter(shape, shape.animate([{ transform: whole }, { transform: flat, offset: 0.5 }, { transform: flat }], TURN));
}

function fade(svg, piece) {
  const shape = addGhost(svg, piece);
  removeAfter(shape, shape.animate([{ opacity: 1 }, { opacity: 0 }], FADE));
}

// Adds a piece of the board before to the displayed one, below the cells that are clicked.
function addGhost(svg, piece) {
  const shape = piece.look.cloneNode(true);
  shape.removeAttribute("id");
  shape.setAttribute("class", "ghost");
  shape.setAttribute("transform", `translate(${piece.x} ${piece.y})`);
  svg.insertBefore(shape, svg.querySelector(".cells"));
  return shape;
}

function removeAfter(shape, animation) {
  animation.finished.catch(() => {}).then(() => shape.remove());
}
