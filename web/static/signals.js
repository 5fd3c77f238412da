// What a player notices without looking at the page: a short sound when a turn is played, and notifications of the
// browser while the page is hidden. Permission for these is asked only when the player turns them on. Browsers of
// phones show notifications only through a service worker, which does nothing else (service-worker.js).
import { isOn, showPreference } from "./preferences.js";
import { announce, showToast, state, texts, turnsAhead } from "./state.js";

const SOUND_SECONDS = 0.14;

let audio = null;
// The versions of the match that were heard and told of last.
let heard = state.version;
let told = state.version;

// Plays the sound if the match has a turn that this page has not shown yet, and the visitor wants to hear it.
export function soundTurn() {
  const ahead = turnsAhead(state.version, heard);
  if (ahead > 0 && ahead < Infinity && isOn("sound")) playSound();
  heard = state.version;
}

// Plays a short wooden tone, which the browser makes; there is no file. Browsers play nothing on a page that nobody
// has touched.
export function playSound() {
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  audio.resume();
  const now = audio.currentTime;
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: 420 });
  const volume = new GainNode(audio, { gain: 0.5 });
  tone.frequency.exponentialRampToValueAtTime(140, now + SOUND_SECONDS / 2);
  volume.gain.exponentialRampToValueAtTime(0.001, now + SOUND_SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + SOUND_SECONDS);
}

// Asks for permission and shows a first notification; returns whether the browser can show them.
export async function allowNotifications() {
  const isAllowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
  if (isAllowed && (await showNotification(texts.yourTurn, texts.allowed))) return true;
  const refusal = "Notification" in window && !isAllowed ? texts.blocked : texts.unable;
  const reason = isSecureContext ? refusal : texts.insecure;
  showToast(reason);
  announce(reason);
  return false;
}

// Tells the player of a hidden page about the latest turn, once.
export function notifyTurn(text) {
  const isNew = turnsAhead(state.version, told) > 0;
  told = state.version;
  if (isNew) notify(text);
}

// Tells the player of a hidden page, if they want to be told.
export function notify(text) {
  if (document.hidden && isOn("notify")) showNotification(document.title.replace(/^● /, ""), text);
}

// Several windows of a match show one notification. Returns whether it is shown.
async function showNotification(title, body) {
  const options = { body, tag: `rayuela-${state.match}`, data: { path: state.path } };
  try {
    const notification = new Notification(title, options);
    notification.addEventListener("click", () => {
      window.focus();
      notification.close();
    });
    return true;
  } catch {
    return showByWorker(title, options);
  }
}

async function showByWorker(title, options) {
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    const registration = await navigator.serviceWorker.ready;
    await registration.showNotification(title, options);
    return true;
  } catch {
    return false;
  }
}

// Shows notifications as off if the browser no longer allows them.
export function initSignals() {
  if (globalThis.Notification?.permission !== "granted") showPreference("notify", false);
}
