// Shows notifications: those that are pushed while no page is open, and those of pages in browsers that have no other
// way. Opens the page of one that is clicked. It keeps no copies of pages and answers no requests.
const ICON = "/static/latest/icon-192.png"; // of any version

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(showNotice(event.data.json()));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(new URL(event.notification.data.path, location.origin)));
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain()));

// A later notice with the same tag replaces the last one, and calls the player again unless it is a repetition. Nobody
// is called who looks at the page; yet browsers take the permission back if a push shows nothing at all.
async function showNotice({ id, tag, title, body, url }) {
  const [last] = await self.registration.getNotifications({ tag });
  const matchPath = new URL(url, location.origin).pathname.replace(/\/seat\/\w+$/, "");
  const isSeen = (await listPages()).some((page) => page.focused && isBelow(new URL(page.url).pathname, matchPath));
  const isQuiet = isSeen || last?.data?.id === id;
  const options = { body, tag, icon: ICON, data: { path: url, id } };
  await self.registration.showNotification(title, { ...options, renotify: !isQuiet, silent: isSeen });
  if (isSeen) for (const one of await self.registration.getNotifications({ tag })) one.close();
}

async function showPage(url) {
  const shown = (await listPages()).find((page) => new URL(page.url).pathname === url.pathname);
  return shown ? shown.focus() : self.clients.openWindow(url);
}

function listPages() {
  return self.clients.matchAll({ type: "window", includeUncontrolled: true });
}

function isBelow(path, top) {
  return path === top || path.startsWith(`${top}/`);
}

async function subscribeAgain() {
  const { key } = await (await fetch("/account/push")).json();
  const subscription = await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await fetch("/account/push", { method: "POST", body: new URLSearchParams({ endpoint, ...keys }) });
}
