import { useEffect, useState } from 'react';

/** Typing rests for this long before the server is asked, in ms. */
export const REST = 120;

/** `text`, once it has stood still for a moment. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
