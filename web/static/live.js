// News of the match as it goes on. After a lost connection the browser asks for what came since.
import { put } from "./parts.js";
import { refresh } from "./steps.js";
import { atLatest, say, sentences, show, state } from "./state.js";
import { reload } from "./play.js";

let stream = null;
let lost = false;

function open() {
  const query = new URLSearchParams({ after: state.mark, side: state.side, theme: state.theme });
  stream = new EventSource(`/m/${document.getElementById("table").dataset.match}/events?${query}`);
  stream.addEventListener("open", () => {
    if (lost) show(sentences.back);
    lost = false;
  });
  stream.addEventListener("error", () => {
    if (!lost) show(sentences.lost, true);
    lost = true;
    if (stream.readyState === EventSource.CLOSED) setTimeout(reopen, 5000);
  });
  stream.addEventListener("news", (event) => take(event.lastEventId, JSON.parse(event.data)));
}

function reopen() {
  if (stream) stream.close();
  stream = null;
  if (!document.hidden) open();
}

function take(mark, news) {
  const followed = atLatest();
  if (news.whole || news.started !== state.started) {
    location.reload();
    return;
  }
  const isTurn = news.last > state.last;
  state.mark = mark;
  state.last = news.last;
  append(news.turns);
  put(news.people);
  if (followed) {
    state.turn = state.last;
    if (!state.seated) put(news.stage);
  } else if (isTurn) {
    document.querySelector('#steps [data-step="latest"]').classList.add("fresh");
    show(sentences.new);
  }
  refresh();
  if (state.seated && followed) reload();
  if (isTurn) say(`${document.getElementById("log").lastElementChild.textContent}. ${document.getElementById("standing").textContent}`);
  else say(document.getElementById("standing").textContent);
}

function append(turns) {
  const log = document.getElementById("log");
  for (const [number, markup] of turns) {
    const line = new DOMParser().parseFromString(`<ol>${markup}</ol>`, "text/html").querySelector("li");
    const old = document.getElementById(`t${number}`);
    if (old) old.replaceWith(line);
    else log.append(line);
  }
}

export function watchNews() {
  open();
  // A page that nobody looks at keeps no connection; coming back, it gets all that it missed.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && stream) {
      stream.close();
      stream = null;
    } else if (!document.hidden && !stream) {
      open();
    }
  });
}
