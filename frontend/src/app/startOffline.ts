// Offline use: copies of responses from the first call on; the service worker and the renewal of the copies once the first page
// has been drawn; everything personal removed when the session ends, here or in another tab.
import type { createBrowserRouter } from 'react-router';
import { setResponseCopies } from '@/api/client';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { listening } from '@/shared/listening/listening';
import { clearSearches } from '@/shared/catalogue/recentSearches';
import { onUpdate } from '@/lib/serviceWorker';

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>;

const copies = () => import(/* webpackChunkName: "offline-copies" */ '@/shared/offline/offlineCopies');

/** Lets the API client store copies of responses and find them offline; called before the first call. Without storage, or with a full one, there are no copies. */
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
    // At once: from here on nothing is found.
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

/** Whether the app was installed and has a window of its own. */
const isInstalled = () => matchMedia('(display-mode: standalone)').matches;

/** Milliseconds between two questions for a new version. */
const ASK_EVERY = 3_600_000;

let isRegistered = false;

/** For members and for the installed app: a visitor keeps nothing on the device, and loads nothing for it. */
async function register(): Promise<void> {
  if (isRegistered || !('serviceWorker' in navigator) || (session.token() === null && !isInstalled())) return;
  isRegistered = true;
  try {
    // A browser that is told to block workers may answer with nothing.
    const registration = (await navigator.serviceWorker.register('/sw.js')) as ServiceWorkerRegistration | undefined;
    if (!registration) throw new Error('There is no service worker.');
    let asked = Date.now();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible' || Date.now() - asked < ASK_EVERY) return;
      asked = Date.now();
      registration.update().catch(() => undefined);
    });
  } catch {
    // Without it the app needs the network.
    isRegistered = false;
  }
}

/** The pages of which copies are renewed. */
async function renew(): Promise<void> {
  // Without the worker no page starts offline, and the copies would be of no use.
  if (!isRegistered || session.token() === null || !navigator.onLine) return;
  const [{ renewCopies, sweepCopies }, { memberPages }] = await Promise.all([copies(), import(/* webpackChunkName: "offline-copies" */ '@/app/memberPages')]);
  await sweepCopies();
  await renewCopies(memberPages());
}

/**
 * After an upgrade the next page is loaded whole instead of by the app, unless a recording plays: no page that is open is
 * touched, and no chunk of the version before is asked for longer than needed.
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

/** After the first page was drawn, when the browser has nothing else to do. */
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
