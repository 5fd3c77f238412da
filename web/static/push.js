// Notifications on this device while no page is open: what this browser can do, and the button that switches them on.
// Permission is asked only when the player presses it. The server lists the devices and switches them off.
import { formatTimes } from "./times.js";

const part = document.querySelector("#push");
const button = part.querySelector("[data-state=off] button");
const message = part.querySelector("[role=alert]");

// Phones and tablets of Apple; the tablets say that they are computers.
const isTouchApple =
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

async function findState() {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return isTouchApple && !navigator.standalone ? "install" : "unsupported";
  }
  if (Notification.permission === "denied") return "blocked";
  const subscription = part.dataset.here && Notification.permission === "granted" && (await findSubscription());
  if (!subscription) return "off";
  if (subscription.endpoint !== part.dataset.here) await save(subscription);
  return "on_here";
}

async function findSubscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration?.pushManager.getSubscription();
}

async function show() {
  const current = await findState().catch(() => "off");
  for (const one of part.querySelectorAll("[data-state]")) one.hidden = one.dataset.state !== current;
}

async function turnOn() {
  button.disabled = true;
  message.textContent = "";
  try {
    // First, because browsers allow the question only right after the click.
    if ((await Notification.requestPermission()) === "granted") {
      await navigator.serviceWorker.register("/service-worker.js");
      const registration = await navigator.serviceWorker.ready;
      await save(await subscribe(registration.pushManager));
      location.reload(); // with the new list
      return;
    }
    message.textContent = message.dataset.dismissed;
  } catch (error) {
    message.textContent = error.refusal ?? message.dataset.failed;
  }
  button.disabled = false;
  await show();
}

// A subscription that was made with another key of this website has to end first.
async function subscribe(manager) {
  const options = { userVisibleOnly: true, applicationServerKey: part.dataset.key };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    await (await manager.getSubscription())?.unsubscribe();
    return manager.subscribe(options);
  }
}

async function save(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const response = await fetch("/account/push", { method: "POST", body: new URLSearchParams({ endpoint, ...keys }) });
  if (!response.ok) throw Object.assign(new Error(response.status), await response.json().catch(() => ({})));
}

button.addEventListener("click", turnOn);
formatTimes();
show();
