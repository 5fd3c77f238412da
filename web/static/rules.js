// The page of a rule book: a click on a move shows its board in the section's picture, without a reload.
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const clicked = event.target.closest("[data-move]");
  if (!clicked) return;
  const section = clicked.closest("section");
  const href = clicked.getAttribute("href");
  const chosen = [...section.querySelectorAll("[data-picture]")].find((one) => one.getAttribute("href") === href);
  if (!chosen) return;
  event.preventDefault();
  const picture = section.querySelector("img");
  picture.loading = "eager";
  picture.src = chosen.dataset.picture;
  const caption = section.querySelector("figcaption");
  caption.textContent = chosen.dataset.caption;
  caption.lang = chosen.dataset.lang ?? document.documentElement.lang;
  for (const one of section.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
  chosen.setAttribute("aria-current", "true");
  const box = picture.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) picture.scrollIntoView({ block: "nearest" });
});
