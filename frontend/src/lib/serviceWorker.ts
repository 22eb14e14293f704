/** Calls `listener` when a new version's service worker has taken over this page. */
export function onUpdate(listener: () => void): void {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  // A page's first service worker is not an update.
  let hadWorker = Boolean(workers?.controller);
  workers?.addEventListener('controllerchange', () => {
    if (hadWorker) listener();
    hadWorker = true;
  });
}
