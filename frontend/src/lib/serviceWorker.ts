/** Calls back when a new version of the app has taken over this page's service worker. */
export function onUpdate(listener: () => void): void {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  // The first worker of a page is no update.
  let hadWorker = Boolean(workers?.controller);
  workers?.addEventListener('controllerchange', () => {
    if (hadWorker) listener();
    hadWorker = true;
  });
}
