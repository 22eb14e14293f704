/// <reference lib="webworker" />
// The service worker: serves the app's files, the app shell when the server can't be reached, and what a member stored on
// the device (covers and recordings, which the pages put into caches). It handles no API call: the pages keep
// copies of responses themselves (shared/offline/offlineCopies.ts), because those belong to a member. It also shows push messages.
import { createPartialResponse } from 'workbox-range-requests';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkOnly } from 'workbox-strategies';
import { ASSETS, PICTURES, RECORDINGS, SHELL, otherSize, unsignedUrl } from '@/lib/deviceCaches';
import { ownPath, parsePushMessage } from '@/lib/pushMessage';

declare const self: ServiceWorkerGlobalScope;
/** The files of this build; scripts/service-worker-plugin.mjs fills them in. */
declare const APP_FILES: readonly string[];

/** The app shell: its HTML contains no member data and starts the app at any URL. */
const SHELL_PAGE = '/home';
/** Cache key of the file lists of this build and the previous one. */
const FILE_LISTS = '/app-files';
/** Icon of notifications; browsers show no SVG there. */
const ICON = '/icons/app-192.png';
/** Tag of notifications: a later one replaces it. */
const TAG = 'review';
/** Timeout of a navigation request, in seconds; after it the page starts from the cache. */
const PATIENCE = 8;
/** Paths that only the server can answer, and files that are not pages. */
const SERVER_ONLY = [/^\/api\//, /^\/media\//, /^\/outbox/, /^\/cards\//, /\.(?:xml|txt)$/];

type FileLists = Record<'current' | 'previous', readonly string[]>;

async function storedLists(): Promise<FileLists> {
  const stored = await (await caches.open(SHELL)).match(FILE_LISTS);
  return stored ? ((await stored.json()) as FileLists) : { current: [], previous: [] };
}

/** Fetches the files of this build that are not cached. If one fails, the worker is not installed. */
async function install(): Promise<void> {
  const files = await caches.open(ASSETS);
  const there = new Set((await files.keys()).map(({ url }) => new URL(url).pathname));
  await files.addAll(APP_FILES.filter((file) => !there.has(file)));
  const shell = await caches.open(SHELL);
  await shell.add(new Request(SHELL_PAGE, { cache: 'no-cache', credentials: 'omit' }));
  await shell.add('/favicon.svg');
}

/** Removes files older than the previous build. A page of the previous build may still be open and request its chunks. */
async function removeOldFiles(): Promise<void> {
  const lists = await storedLists();
  const changed = APP_FILES.join() !== lists.current.join();
  const previous = changed ? lists.current : lists.previous;
  await (await caches.open(SHELL)).put(FILE_LISTS, Response.json({ current: APP_FILES, previous }));
  const wanted = new Set([...APP_FILES, ...previous]);
  const files = await caches.open(ASSETS);
  // Font files that the reader chose are in no list.
  const old = (await files.keys()).filter(({ url }) => !wanted.has(new URL(url).pathname) && !url.endsWith('.woff2'));
  await Promise.all(old.map((request) => files.delete(request)));
}

self.addEventListener('install', (event) => {
  // Takes over at once: old chunks stay cached, so open pages keep working.
  event.waitUntil(install().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([removeOldFiles(), self.registration.navigationPreload.enable(), self.clients.claim()]));
});

/** Files with a content hash in their name never change. (A development build has no hashes.) */
const HASHED = /^\/assets\/.*\.[0-9a-f]{8}\.\w+$/;
registerRoute(({ url, sameOrigin }) => sameOrigin && HASHED.test(url.pathname), new CacheFirst({ cacheName: ASSETS }));
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === '/favicon.svg',
  async ({ request }) => (await caches.match(request)) ?? fetch(request),
);

const network = new NetworkOnly({ networkTimeoutSeconds: PATIENCE });
registerRoute(
  new NavigationRoute(
    async (options) => {
      try {
        return await network.handle(options);
      } catch (error) {
        const page = await (await caches.open(SHELL)).match(SHELL_PAGE);
        if (page) return page;
        throw error;
      }
    },
    { denylist: SERVER_ONLY },
  ),
);

// Covers of the member's summaries come from the cache, all others from the network.
registerRoute(
  ({ url, request, sameOrigin }) => sameOrigin && request.destination === 'image' && url.pathname.startsWith('/media/'),
  async ({ request }) => {
    const pictures = await caches.open(PICTURES);
    const stored = await pictures.match(request);
    if (stored) return stored;
    try {
      return await fetch(request);
    } catch (error) {
      const other = otherSize(request.url);
      const standIn = other === null ? undefined : await pictures.match(other);
      if (standIn) return standIn;
      throw error;
    }
  },
);

// Downloaded recordings. Media elements request ranges.
registerRoute(
  ({ url, request, sameOrigin }) => sameOrigin && request.destination === 'audio' && url.pathname.startsWith('/media/'),
  async ({ request }) => {
    const stored = await (await caches.open(RECORDINGS)).match(unsignedUrl(request.url));
    if (!stored) return fetch(request);
    return request.headers.has('range') ? createPartialResponse(request, stored) : stored;
  },
);

self.addEventListener('push', (event) => {
  const message = parsePushMessage(event.data?.text());
  if (!message) return;
  const { title, body, path } = message;
  event.waitUntil(self.registration.showNotification(title, { body, icon: ICON, tag: TAG, data: path }));
});

/** Shows a page in an open tab of the site, else in a new one. */
async function showPage(path: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: 'window' });
  const tab = tabs.find(({ focused }) => focused) ?? tabs[0];
  if (!tab) {
    await self.clients.openWindow(path);
    return;
  }
  // A tab that can't be focused shows the page too.
  await tab.focus().catch(() => undefined);
  const { pathname, search } = new URL(tab.url);
  if (pathname + search !== path) await tab.navigate(path);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage(ownPath(event.notification.data)));
});
