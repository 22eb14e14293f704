// Taking one entry out of a list that comes by pages: gone at once, back where it stood if the server refuses, and each
// of several told by itself.
import { useMutation } from '@tanstack/react-query';
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';

interface Entry {
  id: number;
  title: string;
}

interface PageOf<E> {
  books: E[];
}

interface Options<E extends Entry, Page extends PageOf<E>> {
  queryKey: QueryKey;
  /** How many entries are shown. */
  shown: number;
  send: (entry: E) => Promise<unknown>;
  /** What else a page says of the entry, which is taken out (-1) or put back (1). */
  count?: (page: Page, entry: E, by: 1 | -1) => Page;
  onTaken: (entry: E) => void;
  /** 'removed', 'hidden'. */
  done: string;
  /** The entries' buttons, in their order. */
  buttons: string;
  /** Takes the focus when the last entry is gone. */
  fallback: RefObject<HTMLElement | null>;
}

export function useTakeOut<E extends Entry, Page extends PageOf<E>>({ queryKey, shown, send, count = (page) => page, onTaken, done, buttons, fallback }: Options<E, Page>) {
  /** Why entries are still there. */
  const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map());
  const list = useRef<HTMLDivElement>(null);
  const goneFrom = useRef<number | null>(null);

  const change = (of: (page: Page, index: number) => Page) =>
    queryClient.setQueryData<InfiniteData<Page>>(queryKey, (seen) => seen && { ...seen, pages: seen.pages.map(of) });

  const { mutate } = useMutation({
    mutationFn: send,
    onMutate: async (entry: E) => {
      setFailures((known) => new Map([...known].filter(([id]) => id !== entry.id)));
      await queryClient.cancelQueries({ queryKey });
      const pages = queryClient.getQueryData<InfiniteData<Page>>(queryKey)?.pages ?? [];
      const page = pages.findIndex(({ books }) => books.some(({ id }) => id === entry.id));
      const books = pages[page]?.books ?? [];
      const after = books.slice(books.findIndex(({ id }) => id === entry.id) + 1).map(({ id }) => id);
      change((one) => count({ ...one, books: one.books.filter(({ id }) => id !== entry.id) }, entry, -1));
      return { page, after };
    },
    onSuccess: (_, entry) => onTaken(entry),
    onError: (error, entry, stood) => {
      setFailures((known) => new Map(known).set(entry.id, `“${entry.title}” could not be ${done}. ${messageOf(error)}`));
      // The entry alone: others may have gone meanwhile.
      change((one, index) => {
        if (index !== stood?.page || one.books.some(({ id }) => id === entry.id)) return count(one, entry, 1);
        const next = one.books.findIndex(({ id }) => stood.after.includes(id));
        return count({ ...one, books: one.books.toSpliced(next < 0 ? one.books.length : next, 0, entry) }, entry, 1);
      });
    },
  });

  // The pressed button goes with its entry: then the focus moves to the one that takes its place.
  useEffect(() => {
    const place = goneFrom.current;
    if (place === null) return;
    goneFrom.current = null;
    const all = list.current?.querySelectorAll<HTMLButtonElement>(buttons) ?? [];
    (all[Math.min(place, all.length - 1)] ?? fallback.current)?.focus();
  }, [shown, buttons, fallback]);

  return {
    /** Around the entries. */
    list,
    failures,
    takeOut: (entry: E, place: number) => {
      goneFrom.current = place;
      mutate(entry);
    },
  };
}
