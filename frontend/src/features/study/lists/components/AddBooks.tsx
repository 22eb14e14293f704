import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { loadFailureOf } from '@/api/errors';
import { viewer } from '@/api/queryClient';
import type { BookCard } from '@/api/types';
import { RecordSearch } from '@/features/study/components/RecordSearch';
import { SmallCover } from '@/features/study/lists/components/ListCovers';
import { plural } from '@/lib/format';
import { useOnline } from '@/lib/useOnline';
import { areNear, nearNotice } from '@/shared/catalogue/nearHits';
import { LIST_BOOKS_MAX, hasBook, shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { putOnList, takeOffList } from '@/shared/study/lists/listChanges';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { Icon } from '@/ui/Icon';

/** As the site's search. */
const searchQuery = (q: string) =>
  queryOptions({
    queryKey: [viewer(), 'search', q],
    queryFn: ({ signal }) => call('GET /api/search', { query: { q }, signal }),
  });

/** How many summaries of this device are offered. */
const KEPT_SHOWN = 20;

type FoundBook = Pick<BookCard, 'id' | 'subid' | 'title' | 'author' | 'image' | 'categories' | 'match'>;

/** The summaries on this device, those that were opened last first; without their texts. */
const keptQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'kept-books'],
    queryFn: async () => {
      const { keptBooks } = await import(/* webpackChunkName: "offline-copies" */ '@/shared/offline/offlineCopies');
      return (await keptBooks()).map(
        ({ book: { id, subid, title, author, image, categories } }): FoundBook => ({ id, subid, title, author, image, categories, match: null }),
      );
    },
    staleTime: 0,
  });

const hasWords = ({ title, author }: FoundBook, words: string): boolean => `${title} ${author}`.toLowerCase().includes(words.toLowerCase());

/** The books that are offered: those that the search finds, offline those on this device; undefined while they are loaded. */
function useOffered(q: string, online: boolean) {
  const kept = useQuery(keptQuery());
  const found = useQuery({ ...searchQuery(q), enabled: q !== '' && online, placeholderData: keepPreviousData });
  const isSearch = q !== '' && online;
  // Without a store of copies there are none.
  const onDevice = kept.data ?? (kept.isError ? [] : undefined);
  const ofQuery: readonly FoundBook[] | undefined = isSearch
    ? found.data?.books
    : onDevice?.filter((book) => q === '' || hasWords(book, q)).slice(0, KEPT_SHOWN);
  // Those of the query before stay until the new ones have come, unless there were none.
  const isWaiting = isSearch && found.isPlaceholderData;
  return {
    books: isWaiting && ofQuery?.length === 0 ? undefined : ofQuery,
    isWaiting,
    error: isSearch && found.isError ? found.error : null,
    retry: () => void found.refetch(),
  };
}

/** Puts books on a list that a search finds; offline those on this device. */
export function AddBooks({ list, onClose }: { list: ReadingList; onClose: () => void }) {
  const [q, setQ] = useState('');
  /** What was done last, for screen readers, and the search at which it was done. */
  const [said, setSaid] = useState({ q, text: '' });
  const online = useOnline();
  const { books, isWaiting, error, retry } = useOffered(q, online);
  const isFull = shownBooks(list).length >= LIST_BOOKS_MAX;
  const isShown = books !== undefined && error === null;
  const text = isShown && !isWaiting ? textOf({ q, online, books }) : '';
  const count = isShown && !isWaiting && q !== '' && books.length > 0 ? `${plural(books.length, 'summary', 'summaries')} found` : '';
  const change = (book: FoundBook, isOn: boolean) => {
    const { id, subid, title, author, image, categories } = book;
    void (isOn ? takeOffList(list, id) : putOnList(list, { id, subid, title, author, image, hue: categories[0]?.hue ?? null }));
    setSaid({ q, text: isOn ? `“${title}” was removed from the list.` : `“${title}” was added to the list.` });
  };
  return (
    <Dialog open onClose={onClose} title="Add a book" side="right" className="add-books">
      <RecordSearch label="Search summaries" value={q} onSearch={setQ} />
      {isFull ? <Alert>A list has up to 200 books.</Alert> : null}
      <div role="status">
        {text === '' ? null : <p className="add-books__text">{text}</p>}
        <p className="visually-hidden">{said.text !== '' && said.q === q ? said.text : count}</p>
      </div>
      {error !== null ? (
        <div className="lists__failed">
          <Alert kind="warning">{loadFailureOf(error)}</Alert>
          <Button onClick={retry}>Try again</Button>
        </div>
      ) : books ? (
        <BookResults list={list} books={books} isFull={isFull} onChange={change} />
      ) : (
        <DialogSkeleton />
      )}
    </Dialog>
  );
}

/** What is said above the books. */
function textOf({ q, online, books }: { q: string; online: boolean; books: readonly FoundBook[] }): string {
  if (!online) {
    if (books.length > 0) return 'You are offline. These are the summaries on this device.';
    return q === '' ? 'You are offline, and no summary is on this device.' : `You are offline. No summary on this device matches “${q}”.`;
  }
  if (q === '') return books.length > 0 ? 'The summaries that you opened last on this device.' : 'A title, an author, an idea, or a few words you remember.';
  if (books.length === 0) return `Nothing found for “${q}”. Try fewer or different words.`;
  return areNear(books) ? nearNotice(q) : '';
}

interface ResultsProps {
  list: ReadingList;
  books: readonly FoundBook[];
  /** No more books can be added. */
  isFull: boolean;
  /** Adds a book, or removes it when it is on the list. */
  onChange: (book: FoundBook, isOn: boolean) => void;
}

function BookResults({ list, books, isFull, onChange }: ResultsProps) {
  return (
    <ul className="add-books__list">
      {books.map((book) => {
        const isOn = hasBook(list, book.id);
        return (
          <li key={book.id} className="add-books__book">
            <SmallCover book={book} />
            <div className="own-book__text">
              <p className="own-book__title">{book.title}</p>
              <p className="own-book__author">{book.author}</p>
              {isOn ? (
                <p className="add-books__on">
                  <Icon name="check" />
                  On the list
                </p>
              ) : null}
            </div>
            <Button
              kind={isOn ? 'quiet' : 'secondary'}
              aria-label={`${isOn ? 'Remove' : 'Add'} ${book.title}`}
              aria-disabled={(isFull && !isOn) || undefined}
              onClick={() => onChange(book, isOn)}
            >
              {isOn ? 'Remove' : 'Add'}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
