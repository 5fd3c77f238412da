// The preferences in the menu of the page, each on or off. They are cookies of the website, so all windows share them.
import { announce, showToast, texts } from "./state.js";

const form = document.getElementById("preferences");
const menu = form.closest("details");
const channel = new BroadcastChannel("rayuela-preferences");

const buttonOf = (name) => form.elements.namedItem(name);

export const isOn = (name) => buttonOf(name)?.getAttribute("aria-pressed") === "true";

export function showPreference(name, isWanted) {
  buttonOf(name)?.setAttribute("aria-pressed", String(isWanted));
}

async function save(name, isWanted) {
  const body = new URLSearchParams({ [name]: isWanted ? "on" : "" });
  try {
    // The answer leads back to this page, which is not loaded again.
    await fetch(form.action, { method: "POST", body, redirect: "manual", credentials: "same-origin" });
  } catch {
    showToast(texts.failed);
    announce(texts.failed);
    return;
  }
  showPreference(name, isWanted);
  channel.postMessage({ name, isWanted });
}

// `confirmations` are called, by name, before a preference is turned on; if one returns false, it stays off.
export function initPreferences(confirmations) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { name } = event.submitter;
    const isWanted = !isOn(name);
    if (isWanted && (await confirmations[name]?.()) === false) return;
    save(name, isWanted);
  });
  channel.addEventListener("message", ({ data }) => showPreference(data.name, data.isWanted));
  // The menu closes like any other: by a click elsewhere and by Escape.
  document.addEventListener("click", (event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
