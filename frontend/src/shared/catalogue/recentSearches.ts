// Recent searches on this device, latest first.
const KEY = 'pith-searches';
/** How many are stored. */
export const KEPT = 6;

export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((text): text is string => typeof text === 'string' && text !== '').slice(0, KEPT) : [];
  } catch {
    return []; // nothing stored, or malformed
  }
}

export function storeSearch(text: string): void {
  const typed = text.trim().replace(/\s+/g, ' ').slice(0, 200);
  if (typed === '') return;
  const others = recentSearches().filter((other) => other.toLowerCase() !== typed.toLowerCase());
  try {
    localStorage.setItem(KEY, JSON.stringify([typed, ...others].slice(0, KEPT)));
  } catch {
    // without storage nothing is remembered
  }
}

export function clearSearches(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was remembered
  }
}
