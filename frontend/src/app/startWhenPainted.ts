// Loads the app on a page with server-rendered text. The text is painted first: on a slow connection, scripts that load
// together with styles, fonts and covers would delay it.

/** Calls `run` after the first contentful paint. */
function whenPainted(run: () => void): void {
  // A page opened in a background tab is not painted until it is shown, so it does not wait for that.
  if (document.hidden || !('PerformanceObserver' in window) || !PerformanceObserver.supportedEntryTypes.includes('paint')) return run();
  new PerformanceObserver((entries, observer) => {
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    run();
  }).observe({ type: 'paint', buffered: true });
}

/** The app needs the whole document: its scripts run after parsing, like deferred ones. */
function whenParsed(run: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', run, { once: true });
  else run();
}

function add<K extends 'script' | 'link'>(tag: K, attributes: Partial<HTMLElementTagNameMap[K]>): void {
  document.head.append(Object.assign(document.createElement(tag), attributes));
}

const list = (text = ''): string[] => text.split(' ').filter(Boolean);

/** `scripts` start the app, in this order; `preloads` are the chunks that its first route needs. */
export function startWhenPainted({ scripts, preloads }: DOMStringMap): void {
  whenPainted(() => {
    whenParsed(() => {
      for (const src of list(scripts)) add('script', { src, async: false });
      for (const href of list(preloads)) add('link', { rel: 'preload', as: 'script', fetchPriority: 'low', href });
    });
  });
}
