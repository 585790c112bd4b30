// Keeps the page that says "no connection", and files under hashed names, which never change.
// It never keeps pages or answers of the site. Shows notifications, and opens their pages.

const KEEP = "minesite-{{ version }}";
const OFFLINE = "{{ offline }}";
const MOST = 300;

self.addEventListener("install", (event) => {
  const first = {{ assets|safe }};
  event.waitUntil(
    caches
      .open(KEEP)
      .then((cache) => cache.addAll([OFFLINE, ...first]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("minesite-") && name !== KEEP);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

const isHashed = (path) => path.startsWith("{{ static_url }}") && /\.[0-9a-f]{12}\.\w+$/.test(path);

async function fromKept(request) {
  const cache = await caches.open(KEEP);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const names = await cache.keys();
    for (const name of names.slice(0, Math.max(0, names.length - MOST))) {
      if (new URL(name.url).pathname !== OFFLINE) await cache.delete(name);
    }
  }
  return answer;
}

const windows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });
const pathOf = (page) => new URL(page.url).pathname;

// The site has written the texts in the player's language. A page in front of the player tells it itself.
self.addEventListener("push", (event) => {
  const show = async () => {
    if ((await windows()).some((page) => page.focused)) return;
    const { title, body, url, tag } = event.data.json();
    await self.registration.showNotification(title, { body, tag, icon: "{{ icon }}", data: { url } });
  };
  event.waitUntil(show());
});

self.addEventListener("notificationclick", (event) => {
  const { url } = event.notification.data ?? {};
  event.notification.close();
  const open = async () => {
    const pages = await windows();
    const there = pages.find((page) => !url || pathOf(page) === url);
    if (there) return there.focus();
    // Another match stays where it is.
    const free = pages.find((page) => !pathOf(page).startsWith("/match/"));
    if (!free) return self.clients.openWindow(url || "/");
    await free.focus();
    return free.navigate(url).catch(() => self.clients.openWindow(url));
  };
  event.waitUntil(open());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE, { cacheName: KEEP })));
  } else if (isHashed(address.pathname)) {
    event.respondWith(fromKept(request));
  }
});
