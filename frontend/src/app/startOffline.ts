// Offline use: stores copies of responses from the first call on; registers the service worker and renews the copies once the
// first page has rendered; removes all personal data when the session ends, here or in another tab.
import type { createBrowserRouter } from 'react-router';
import { setResponseCopies } from '@/api/client';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { listening } from '@/shared/listening/listening';
import { clearSearches } from '@/shared/catalogue/recentSearches';
import { onUpdate } from '@/lib/serviceWorker';

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>;

const copies = () => import(/* webpackChunkName: "offline-copies" */ '@/shared/offline/offlineCopies');

/** Gives the API client a store for copies of responses; call it before the first request. Without storage, or with a full one, there are no copies. */
export function connectCopies(): void {
  setResponseCopies({
    store: (...response) => {
      copies()
        .then(({ storeResponse }) => storeResponse(...response))
        .catch(() => undefined);
    },
    find: async (...call) => {
      try {
        return await (await copies()).findCopy(...call);
      } catch {
        return undefined;
      }
    },
  });
  const removeWithoutSession = () => {
    if (session.token() !== null || !copiesOwner.isSet()) return;
    // At once: from here on no copy is served.
    copiesOwner.end();
    clearSearches();
    copies()
      .then(({ removeCopies }) => removeCopies())
      // The next start tries again.
      .catch(() => undefined);
  };
  session.subscribe(removeWithoutSession);
  removeWithoutSession();
}

/** Whether the app is installed and runs in its own window. */
const isInstalled = () => matchMedia('(display-mode: standalone)').matches;

/** Minimum time between two checks for a new version of the service worker, in milliseconds. */
const ASK_EVERY = 3_600_000;

let isRegistered = false;

/** Registers the service worker for members and the installed app. Visitors store nothing on the device. */
async function register(): Promise<void> {
  if (isRegistered || !('serviceWorker' in navigator) || (session.token() === null && !isInstalled())) return;
  isRegistered = true;
  try {
    // A browser that is configured to block workers may resolve with undefined.
    const registration = (await navigator.serviceWorker.register('/sw.js')) as ServiceWorkerRegistration | undefined;
    if (!registration) throw new Error('There is no service worker.');
    let asked = Date.now();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible' || Date.now() - asked < ASK_EVERY) return;
      asked = Date.now();
      registration.update().catch(() => undefined);
    });
  } catch {
    // Without the service worker the app needs the network.
    isRegistered = false;
  }
}

/** Sweeps old copies and renews those of the member's pages. */
async function renew(): Promise<void> {
  // Without the service worker no page starts offline, so copies would be useless.
  if (!isRegistered || session.token() === null || !navigator.onLine) return;
  const [{ renewCopies, sweepCopies }, { memberPages }] = await Promise.all([copies(), import(/* webpackChunkName: "offline-copies" */ '@/app/memberPages')]);
  await sweepCopies();
  await renewCopies(memberPages());
}

/**
 * After an upgrade the next navigation loads the whole document, unless a recording is playing. The open page is not reloaded,
 * and chunks of the old version are not requested for longer than needed.
 */
function reloadAfterUpdate(router: Router): void {
  let isOutdated = false;
  onUpdate(() => {
    isOutdated = true;
  });
  router.subscribe(({ navigation, location }) => {
    if (!isOutdated || navigation.state !== 'loading' || navigation.location.pathname === location.pathname || listening.now()?.wanted) return;
    const { pathname, search, hash } = navigation.location;
    window.location.assign(pathname + search + hash);
  });
}

/** Called after the first page has rendered; works in idle time. */
export function startOffline(router: Router): void {
  reloadAfterUpdate(router);
  const start = () => {
    register()
      .then(renew)
      .catch(() => undefined);
  };
  const idle = (window as { requestIdleCallback?: (run: () => void, options: { timeout: number }) => void }).requestIdleCallback;
  const later = () => (idle ? idle(start, { timeout: 5000 }) : setTimeout(start, 2000));
  if (document.readyState === 'complete') later();
  else window.addEventListener('load', later, { once: true });
  session.subscribe(() => {
    if (session.token() !== null) later();
  });
  window.addEventListener('online', () => {
    renew().catch(() => undefined);
  });
}
