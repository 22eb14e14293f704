import { useState } from 'react';

interface SearchText {
  text: string;
  setText: (text: string) => void;
  /** The latest search, which the URL may not have yet. */
  searched: string;
  /** Call it with each search of the field. */
  sent: (q: string) => void;
}

/**
 * The text of a search field whose search is in the URL (`value`). It follows the URL, after a link or going back; but not the
 * field's own searches, since which more may have been typed.
 */
export function useSearchText(value: string): SearchText {
  const [text, setText] = useState(value);
  const [followed, setFollowed] = useState(value);
  /** The field's own searches that were not in the URL yet, in their order. */
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  if (value !== followed) {
    setFollowed(value);
    const at = waiting.lastIndexOf(value);
    setWaiting(at < 0 ? [] : waiting.slice(at + 1));
    if (at < 0 && value !== text.trim()) setText(value);
  }
  return { text, setText, searched: waiting.at(-1) ?? value, sent: (q) => setWaiting((before) => [...before, q]) };
}
