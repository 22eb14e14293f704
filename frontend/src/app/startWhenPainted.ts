// Loads the app on a page whose text the server has written. What can be read comes first: on a slow connection scripts that
// are fetched with the styles, fonts and covers keep the text from being seen.

/** Runs it once the first text or picture has been shown. */
function whenPainted(run: () => void): void {
  // A page that is opened in the background is painted when it is looked at; it is loaded by then.
  if (document.hidden || !('PerformanceObserver' in window) || !PerformanceObserver.supportedEntryTypes.includes('paint')) return run();
  new PerformanceObserver((entries, observer) => {
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    run();
  }).observe({ type: 'paint', buffered: true });
}

/** The app reads the whole document: its scripts run after it has been parsed, as deferred ones do. */
function whenParsed(run: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', run, { once: true });
  else run();
}

function add<K extends 'script' | 'link'>(tag: K, attributes: Partial<HTMLElementTagNameMap[K]>): void {
  document.head.append(Object.assign(document.createElement(tag), attributes));
}

const list = (text = ''): string[] => text.split(' ').filter(Boolean);

/** `scripts` start the app in this order; `preloads` are what its route will ask for. */
export function startWhenPainted({ scripts, preloads }: DOMStringMap): void {
  whenPainted(() => {
    whenParsed(() => {
      for (const src of list(scripts)) add('script', { src, async: false });
      for (const href of list(preloads)) add('link', { rel: 'preload', as: 'script', fetchPriority: 'low', href });
    });
  });
}
