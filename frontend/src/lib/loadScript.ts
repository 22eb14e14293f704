// Scripts of payment providers, which have to come from the provider's own host.

const loading = new Map<string, Promise<void>>();

/** Loads a script of another host once. A failed load can be tried again. `data`: its `data-` attributes. */
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
