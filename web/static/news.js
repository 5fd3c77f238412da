// News for pages without a stream of events: one of all such pages of a browser asks the server for all of them.
// Browsers slow the timers of hidden pages: after some minutes to one a minute.
import { state } from "./state.js";

const HIDDEN_MILLISECONDS = 20_000;
const SHOWN_MILLISECONDS = 3000;
const MAX_MATCHES = 50;
const PATIENCE_MILLISECONDS = 30_000;

let current = null;

// Until stopNews() calls `onNews` when the match has changed, and `onTick` each time that the server was asked, with
// whether it has answered.
export function startNews(onNews, onTick) {
  if (current) return;
  const controller = new AbortController();
  const channel = new BroadcastChannel("rayuela-news");
  current = { controller, channel };
  const asking = new Map();
  let wake = null;
  const hello = () => channel.postMessage({ match: state.match, isShown: !document.hidden });
  const check = (news) => {
    if (news && state.match in news && !state.version.endsWith(news[state.match])) onNews();
    onTick(news !== null);
  };
  channel.addEventListener("message", ({ data }) => {
    if (data.news) check(data.news);
    else if (data.isQuestion) hello();
    else asking.set(data.match, data.isShown || asking.get(data.match));
    if (data.isShown) wake?.();
  });
  hello();
  const lead = async () => {
    while (!controller.signal.aborted) {
      const isShown = !document.hidden || [...asking.values()].includes(true);
      asking.clear();
      asking.set(state.match, !document.hidden);
      channel.postMessage({ isQuestion: true });
      const mean = isShown ? SHOWN_MILLISECONDS : HIDDEN_MILLISECONDS;
      const paused = pause(mean * (0.75 + Math.random() / 2), controller.signal);
      // A long pause ends when a page that is shown asks too.
      await (isShown ? paused : Promise.race([paused, new Promise((resolve) => { wake = resolve; })]));
      wake = null;
      if (controller.signal.aborted) return;
      const news = await fetchNews([...asking.keys()].slice(0, MAX_MATCHES));
      if (controller.signal.aborted) return;
      if (news) channel.postMessage({ news });
      check(news);
    }
  };
  // Without locks, on pages without encryption, each page asks for itself.
  if (navigator.locks) navigator.locks.request("rayuela-news", { signal: controller.signal }, lead).catch(() => {});
  else lead();
}

export function stopNews() {
  current?.controller.abort();
  current?.channel.close();
  current = null;
}

// Returns the checksum of each of the matches that may be seen, by number, or null if the server does not answer.
export async function fetchNews(matches) {
  try {
    const query = new URLSearchParams(matches.map((match) => ["match", match]));
    const response = await fetch(`/news?${query}`, { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); });
  });
}
