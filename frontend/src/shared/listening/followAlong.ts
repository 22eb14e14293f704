// Whether the reader's text follows the recording, stored in this browser.
import { useSyncExternalStore } from 'react';

const KEY = 'pith-follow';
let chosen: boolean | null = null;
const listeners = new Set<() => void>();

function read(): boolean {
  if (chosen !== null) return chosen;
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function chooseFollow(follow: boolean): void {
  chosen = follow;
  try {
    localStorage.setItem(KEY, follow ? 'on' : 'off');
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export const useFollow = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, read);
