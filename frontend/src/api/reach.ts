// Whether the server answers: the last request that ended says so. A device may have a network that does not reach it.
import { useSyncExternalStore } from 'react';

let answers = true;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** For the client: a request was answered, or found no server. */
export const reportReach = (answered: boolean): void => {
  if (answered === answers) return;
  answers = answered;
  for (const listener of listeners) listener();
};

/** Whether the server answers; re-renders when that changes. */
export const useServerAnswers = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => answers,
    () => true,
  );
