// Optimistic removal of entries from a paginated list: an entry is removed at once, and put back if the server refuses (with an
// error beside it) or if the member presses Undo.
import { useMutation } from '@tanstack/react-query';
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { toast } from '@/ui/toast';

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
  /** Undoes the removal. */
  undo: (entry: E) => Promise<unknown>;
  /** Adjusts the page's other data, after a removal (-1) or its undo (1). */
  count?: (page: Page, entry: E, by: 1 | -1) => Page;
  /** Called because other pages may show the entry too. `now`: the member has left this list. */
  onChanged: (now: boolean) => void;
  /** The toast's text. */
  said: (entry: E) => string;
  /** A participle for messages: 'removed', 'hidden'. */
  done: string;
  /** A selector of the entries' buttons, in order; each has the id of its entry as `data-entry`. */
  buttons: string;
  /** Takes the focus when the last entry is removed. */
  fallback: RefObject<HTMLElement | null>;
}

/** An entry's position: its page, and the entries after it there. */
interface EntryPosition {
  page: number;
  after: number[];
}

export function useOptimisticRemoval<E extends Entry, Page extends PageOf<E>>(options: Options<E, Page>) {
  const { queryKey, shown, send, undo, count = (page: Page) => page, onChanged, said, done, buttons, fallback } = options;
  /** Error messages of entries that could not be removed, by id. */
  const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map());
  const list = useRef<HTMLDivElement>(null);
  const here = useRef(false);
  const goneFrom = useRef<number | null>(null);
  const back = useRef<number | null>(null);
  /** The element that took the focus of a removed button. */
  const heir = useRef<HTMLElement | null>(null);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const change = (of: (page: Page, index: number) => Page): InfiniteData<Page> | undefined =>
    queryClient.setQueryData<InfiniteData<Page>>(queryKey, (seen) => seen && { ...seen, pages: seen.pages.map(of) });

  const takeAway = (entry: E): EntryPosition => {
    const pages = queryClient.getQueryData<InfiniteData<Page>>(queryKey)?.pages ?? [];
    const page = pages.findIndex(({ books }) => books.some(({ id }) => id === entry.id));
    const books = pages[page]?.books ?? [];
    const after = books.slice(books.findIndex(({ id }) => id === entry.id) + 1).map(({ id }) => id);
    change((one) => count({ ...one, books: one.books.filter(({ id }) => id !== entry.id) }, entry, -1));
    return { page, after };
  };

  /** Puts an entry back; others may have been removed meanwhile. */
  const putBack = (entry: E, position: EntryPosition | undefined) =>
    change((one, index) => {
      if (index !== position?.page || one.books.some(({ id }) => id === entry.id)) return count(one, entry, 1);
      const next = one.books.findIndex(({ id }) => position.after.includes(id));
      return count({ ...one, books: one.books.toSpliced(next < 0 ? one.books.length : next, 0, entry) }, entry, 1);
    });

  /** Whether the focus is where the removal left it, or nowhere. */
  const isFree = () => {
    const now = document.activeElement;
    return now === null || now === document.body || now === heir.current;
  };

  const takeBack = useMutation({
    mutationFn: ({ entry }: { entry: E; position: EntryPosition | undefined }) => undo(entry),
    onMutate: async ({ entry, position }) => {
      await queryClient.cancelQueries({ queryKey });
      if (isFree()) back.current = entry.id;
      putBack(entry, position);
    },
    onSuccess: () => onChanged(!here.current),
    onError: (error, { entry }) => {
      takeAway(entry);
      toast(`“${entry.title}” could not be put back. ${messageOf(error)}`);
    },
  });

  const { mutate } = useMutation({
    mutationFn: send,
    onMutate: async (entry: E) => {
      setFailures((known) => new Map([...known].filter(([id]) => id !== entry.id)));
      await queryClient.cancelQueries({ queryKey });
      return takeAway(entry);
    },
    onSuccess: (_, entry, position) => {
      onChanged(!here.current);
      toast(said(entry), { label: 'Undo', run: () => takeBack.mutate({ entry, position }) });
    },
    onError: (error, entry, position) => {
      const text = `“${entry.title}” could not be ${done}. ${messageOf(error)}`;
      // If the focus has moved on, the member gets a toast; otherwise it returns to the entry, with the error beside it.
      if (!here.current || !isFree()) toast(text);
      else back.current = entry.id;
      setFailures((known) => new Map(known).set(entry.id, text));
      putBack(entry, position);
    },
  });

  // The pressed button is removed with its entry: the focus moves to the button that takes its position.
  useEffect(() => {
    const place = goneFrom.current;
    if (place === null) return;
    goneFrom.current = null;
    const all = list.current?.querySelectorAll<HTMLButtonElement>(buttons) ?? [];
    heir.current = all[Math.min(place, all.length - 1)] ?? fallback.current;
    heir.current?.focus();
  }, [shown, buttons, fallback]);

  // Focuses the button of an entry that was put back.
  useEffect(() => {
    if (back.current === null) return;
    const button = list.current?.querySelector<HTMLButtonElement>(`[data-entry='${back.current}']`);
    if (!button) return;
    back.current = null;
    heir.current = button;
    button.focus();
  });

  return {
    /** Attach it to the element around the entries. */
    list,
    failures,
    remove: (entry: E, place: number) => {
      goneFrom.current = place;
      mutate(entry);
    },
  };
}
