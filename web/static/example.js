// The example game on the front page: plays while it is in view, unless the system asks for less motion or it is paused.
const STEP_MILLISECONDS = 1300;
const END_MILLISECONDS = 5000;
const example = document.getElementById("example");

function start() {
  const board = document.getElementById("example-board");
  const label = document.getElementById("example-move");
  const toggle = document.getElementById("example-toggle");
  const last = Number(example.dataset.last);
  let shown = Number(example.dataset.shown);
  let isWanted = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  let isInView = false;
  let timer = 0;

  const pictureOf = (number) => `${example.dataset.path}${number}.svg?theme=${example.dataset.theme}`;

  async function step() {
    const next = shown === last ? 0 : shown + 1;
    const picture = new Image();
    picture.src = pictureOf(next);
    try {
      await picture.decode();
    } catch {
      return schedule(); // the server does not answer: try again later
    }
    if (!isRunning()) return;
    shown = next;
    board.src = picture.src;
    label.textContent = example.dataset.label.replace("#", shown);
    schedule();
  }

  const isRunning = () => isWanted && isInView && !document.hidden;

  function schedule() {
    clearTimeout(timer);
    if (isRunning()) timer = setTimeout(step, shown === last ? END_MILLISECONDS : STEP_MILLISECONDS);
  }

  function showState() {
    toggle.textContent = isWanted ? toggle.dataset.pause : toggle.dataset.play;
    schedule();
  }

  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    isWanted = !isWanted;
    showState();
  });
  document.addEventListener("visibilitychange", schedule);
  new IntersectionObserver(([entry]) => {
    isInView = entry.isIntersecting;
    schedule();
  }).observe(board);
  showState();
}

if (example) start();
