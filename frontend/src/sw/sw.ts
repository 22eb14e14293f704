/// <reference lib="webworker" />
// The service worker: serves the app's files, the page of the app when the server can't be reached, and what a member keeps on
// the device (covers and recordings, which the pages put into caches). It answers no call of the API: the pages keep
// copies of responses themselves (shared/offline/offlineCopies.ts), because those belong to a member.
import { createPartialResponse } from 'workbox-range-requests';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkOnly } from 'workbox-strategies';
import { ASSETS, PICTURES, RECORDINGS, SHELL, otherSize, unsignedUrl } from '@/lib/deviceCaches';

declare const self: ServiceWorkerGlobalScope;
/** The files of this build, which scripts/service-worker-plugin.mjs writes here. */
declare const APP_FILES: readonly string[];

/** A member's page: its HTML holds nothing of a member and starts the app at whatever address was asked for. */
const SHELL_PAGE = '/home';
/** Where the cache holds the lists of files: of this build and of the one before. */
const FILE_LISTS = '/app-files';
/** Seconds after which a page is started from the device instead of waiting for the network. */
const PATIENCE = 8;
/** Pages that are the server's alone, and what is no page. */
const SERVER_ONLY = [/^\/api\//, /^\/media\//, /^\/outbox/, /^\/cards\//, /\.(?:xml|txt)$/];

type FileLists = Record<'current' | 'previous', readonly string[]>;

async function storedLists(): Promise<FileLists> {
  const stored = await (await caches.open(SHELL)).match(FILE_LISTS);
  return stored ? ((await stored.json()) as FileLists) : { current: [], previous: [] };
}

/** Fetches what this build needs and is not there. All of it, or the worker is not installed. */
async function install(): Promise<void> {
  const files = await caches.open(ASSETS);
  const there = new Set((await files.keys()).map(({ url }) => new URL(url).pathname));
  await files.addAll(APP_FILES.filter((file) => !there.has(file)));
  const shell = await caches.open(SHELL);
  await shell.add(new Request(SHELL_PAGE, { cache: 'no-cache', credentials: 'omit' }));
  await shell.add('/favicon.svg');
}

/** The files of the build before stay: a page of it may still be open, and asks for its chunks when it needs them. */
async function removeOldFiles(): Promise<void> {
  const lists = await storedLists();
  const changed = APP_FILES.join() !== lists.current.join();
  const previous = changed ? lists.current : lists.previous;
  await (await caches.open(SHELL)).put(FILE_LISTS, Response.json({ current: APP_FILES, previous }));
  const wanted = new Set([...APP_FILES, ...previous]);
  const files = await caches.open(ASSETS);
  // A face that the reader has chosen is in no list.
  const old = (await files.keys()).filter(({ url }) => !wanted.has(new URL(url).pathname) && !url.endsWith('.woff2'));
  await Promise.all(old.map((request) => files.delete(request)));
}

self.addEventListener('install', (event) => {
  // It takes over at once: old chunks stay, so no open page breaks.
  event.waitUntil(install().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([removeOldFiles(), self.registration.navigationPreload.enable(), self.clients.claim()]));
});

/** A file whose name holds its hash never changes. (A development build has no hashes.) */
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

// Covers: those of the member's summaries are there; any other is the network's.
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

// Recordings that are kept. Media elements ask for ranges.
registerRoute(
  ({ url, request, sameOrigin }) => sameOrigin && request.destination === 'audio' && url.pathname.startsWith('/media/'),
  async ({ request }) => {
    const stored = await (await caches.open(RECORDINGS)).match(unsignedUrl(request.url));
    if (!stored) return fetch(request);
    return request.headers.has('range') ? createPartialResponse(request, stored) : stored;
  },
);
