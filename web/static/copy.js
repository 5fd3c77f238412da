// Buttons that copy a link: the value of the field that they name, or the link that they hold. A click on a field with a
// link selects all of it.

// Calls `onCopied` with whether something was copied.
export function initCopy(onCopied) {
  document.addEventListener("click", async (event) => {
    event.target.closest("input[readonly]")?.select();
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy) ?? button.parentElement.querySelector("input[readonly]");
    onCopied(await copy(field?.value ?? button.dataset.copy, field));
  });
}

// Browsers have no clipboard on pages without encryption, and may refuse it elsewhere. Then the older command copies
// what is selected; if that fails too, the link in the field is selected.
async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const [area, focused] = [document.createElement("textarea"), document.activeElement];
    area.value = text;
    area.style.position = "fixed"; // on the screen: the page does not scroll to it
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    focused?.focus({ preventScroll: true });
    if (!isCopied) field?.select();
    return isCopied;
  }
}
