import { useEffect, useState } from 'react';

/** Milliseconds without typing before a request is sent. */
export const DEBOUNCE = 120;

/** `text`, debounced: updates once `text` has not changed for {@link DEBOUNCE} milliseconds. */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
