// Scripts of payment providers, which must come from the provider's own host.

const loading = new Map<string, Promise<void>>();

/** Loads a script from another host once; a failed load can be retried. `data`: its `data-` attributes. */
export function loadScript(url: string, data: Readonly<Record<string, string>> = {}): Promise<void> {
  const begun = loading.get(url);
  if (begun) return begun;
  const done = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.async = true;
    Object.assign(script.dataset, data);
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      loading.delete(url);
      script.remove();
      reject(new Error(`The script ${url} could not be loaded.`));
    });
    document.head.append(script);
  });
  loading.set(url, done);
  return done;
}
