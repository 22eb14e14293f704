// Values in the browser's storage. Where it is unavailable (private windows, policies), nothing is stored and nothing throws.

type Kind = 'local' | 'session';

const storageOf = (kind: Kind): Storage => (kind === 'local' ? window.localStorage : window.sessionStorage);

/** The value of a key; null when there is none. */
export function readStored(kind: Kind, key: string): string | null {
  try {
    return storageOf(kind).getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value; null removes it. */
export function writeStored(kind: Kind, key: string, value: string | null): void {
  try {
    if (value === null) storageOf(kind).removeItem(key);
    else storageOf(kind).setItem(key, value);
  } catch {
    // Storage is unavailable or full.
  }
}

/** The keys that begin with `prefix`. */
export function storedKeys(kind: Kind, prefix: string): string[] {
  try {
    return Object.keys(storageOf(kind)).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
