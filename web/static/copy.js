// Buttons that copy a link: the value of the field that they name, or the link that they hold. Without the browser's
// clipboard they stay hidden.

// Shows the buttons; called again after they were replaced.
export function showCopyButtons() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

// Calls `onCopied` when something was copied.
export function initCopy(onCopied) {
  showCopyButtons();
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(field ? field.value : button.dataset.copy);
    onCopied();
  });
}
