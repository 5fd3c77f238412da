// Shows notifications where browsers have no other way, and opens the board of one that is clicked. It keeps no copies
// of pages and answers no requests.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(new URL(event.notification.data.path, location.origin)));
});

async function showPage(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = pages.find((page) => new URL(page.url).pathname === url.pathname);
  return shown ? shown.focus() : self.clients.openWindow(url);
}
