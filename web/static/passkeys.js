// Passkeys: shows what needs one where this browser has them, and has a form answered by one when it is sent.
// The question is at the address of the form, below /options; the answer goes with the form.
const parts = document.querySelectorAll("[data-passkeys]");
const known = window.PublicKeyCredential ?? {};

const canUse = (host) =>
  isSecureContext && location.hostname === host && "parseCreationOptionsFromJSON" in known && "toJSON" in known.prototype;

async function find(options) {
  if (options.rpId) return navigator.credentials.get({ publicKey: known.parseRequestOptionsFromJSON(options) });
  return navigator.credentials.create({ publicKey: known.parseCreationOptionsFromJSON(options) });
}

async function send(event) {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector("button");
  const message = form.querySelector("[role=alert]");
  button.disabled = true;
  message.textContent = "";
  try {
    const response = await fetch(`${form.action}/options`, { method: "POST" });
    if (!response.ok) throw new Error(response.status);
    form.elements.answer.value = JSON.stringify(await find(await response.json()));
    form.submit();
  } catch (error) {
    // Browsers do not say more: the player has cancelled, or there is no passkey here.
    message.textContent = (error.name === "InvalidStateError" && message.dataset.known) || message.dataset.failed;
  }
  button.disabled = false;
}

for (const part of parts) {
  part.hidden = !canUse(part.dataset.passkeys);
  part.addEventListener("submit", send);
  const missing = document.querySelector("[data-passkeys-missing]");
  if (missing) missing.hidden = !part.hidden;
}
