import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { messageOf } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { LibraryBook, ResultOf } from '@/api/types';
import { useRememberPages } from '@/shared/catalogue/pagedLists';
import { saveLibrary } from '@/shared/positions/positionSync';
import { AddToListButton } from '@/shared/study/lists/AddToListButton';
import { LibraryError } from '@/features/reading-progress/reading/components/LibraryError';
import { LIBRARY_PAGE, libraryQuery } from '@/features/reading-progress/reading/queries';
import type { ShelfName } from '@/features/reading-progress/reading/queries';
import { useOptimisticRemoval } from '@/features/reading-progress/reading/useOptimisticRemoval';
import { paths } from '@/paths';
import { BookCard } from '@/ui/BookCard';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { LoadMore } from '@/ui/LoadMore';
import { ReadingProgressBar } from '@/ui/ReadingProgressBar';
import { SkeletonBooks } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

type Page = ResultOf<'GET /api/library'>;

const shelfOf = (book: LibraryBook) => (book.completed ? 'finished' : book.position === null ? 'saved' : 'reading');

/** Adjusts the counts of a book's shelves by one. */
const count = (page: Page, book: LibraryBook, by: 1 | -1): Page => ({
  ...page,
  counts: { ...page.counts, all: page.counts.all + by, [shelfOf(book)]: page.counts[shelfOf(book)] + by },
});

const EMPTY: Record<ShelfName, { title: string; text: ReactNode }> = {
  all: { title: 'Nothing on your shelf yet', text: 'Press “Add to library” on any summary, and it will wait for you here.' },
  reading: { title: 'Nothing started', text: 'Books in your library appear here from their second section on, until you finish them.' },
  finished: { title: 'Nothing finished yet', text: 'Every book that you finish appears here, whether you saved it or not.' },
  saved: { title: 'Nothing saved for later', text: 'What you save for later stays here until you start reading it.' },
};

/** The button that takes a saved book out of the library, or saves one that is there because it is finished. */
function SaveButton({ book, busy = false, onPress }: { book: LibraryBook; busy?: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      className="library__remove"
      data-entry={book.id}
      aria-disabled={busy || undefined}
      onClick={() => {
        if (!busy) onPress();
      }}
      aria-label={book.saved ? `Remove ${book.title} from library` : `Save ${book.title} in library`}
    >
      <Icon name="bookmark" filled={book.saved} />
      {book.saved ? 'Remove' : 'Save'}
    </button>
  );
}

/** For a finished book, which stays on its shelf whether it is saved or not (reading-progress.library-shelves). */
function SaveToggle({ book }: { book: LibraryBook }) {
  const change = useMutation({
    mutationFn: (saved: boolean) => saveLibrary(book.id, saved),
    onSuccess: (_, saved) => {
      const marked = (page: Page): Page => ({ ...page, books: page.books.map((one) => (one.id === book.id ? { ...one, saved } : one)) });
      const library = { queryKey: [viewer(), 'library'] };
      queryClient.setQueriesData<InfiniteData<Page>>(library, (seen) => seen && { ...seen, pages: seen.pages.map(marked) });
      // Its place in the lists changes when they are next opened.
      void queryClient.invalidateQueries({ ...library, refetchType: 'none' });
      toast(saved ? `“${book.title}” is saved in your library.` : `“${book.title}” is no longer saved. It stays under Finished.`);
    },
  });
  return (
    <>
      <SaveButton book={book} busy={change.isPending} onPress={() => change.mutate(!book.saved)} />
      <LibraryError text={change.isError ? `“${book.title}” could not be changed. ${messageOf(change.error)}` : undefined} />
    </>
  );
}

/** A shelf of the library, 20 books at a time. `title` takes the focus when the last book is removed. */
export function Shelf({ shelf, title }: { shelf: ShelfName; title: RefObject<HTMLHeadingElement | null> }) {
  const options = libraryQuery(shelf);
  const query = useInfiniteQuery(options);
  useRememberPages(options.queryKey, query);
  const { data, error, refetch, hasNextPage, isFetchingNextPage } = query;
  const books = data?.pages.flatMap((page) => page.books) ?? [];
  const { list, failures, remove } = useOptimisticRemoval<LibraryBook, Page>({
    queryKey: options.queryKey,
    shown: books.length,
    send: (book) => saveLibrary(book.id, false),
    count,
    undo: (book) => saveLibrary(book.id, true),
    // Other shelves may list the book too.
    onChanged: (now) => void queryClient.invalidateQueries({ queryKey: [viewer(), 'library'], refetchType: now ? 'active' : 'none' }),
    said: (book) => `“${book.title}” was removed from your library.`,
    done: 'removed',
    buttons: '.library__remove',
    fallback: title,
  });

  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className="library__books">
        <SkeletonBooks count={10} label="Loading your library" />
      </div>
    );
  }
  const empty = EMPTY[shelf];
  return (
    <>
      {books.length === 0 && !hasNextPage ? (
        <EmptyState
          title={empty.title}
          actions={
            <LinkButton kind="primary" to={paths.books}>
              Browse summaries
            </LinkButton>
          }
        >
          <p>{empty.text}</p>
        </EmptyState>
      ) : null}
      {books.length > 0 ? (
        <section className="library__books" aria-label="Books" ref={list}>
          <h2 className="visually-hidden">Books</h2>
          <ul className="book-grid">
            {books.map((book, i) => (
              <li key={book.id}>
                <BookCard book={book} eager={i < 5}>
                  {book.position === null ? null : <ReadingProgressBar {...book} position={book.position} />}
                  <div className="library__actions">
                    {book.completed ? <SaveToggle book={book} /> : <SaveButton book={book} onPress={() => remove(book, i)} />}
                    <AddToListButton book={book} kind="quiet" aria-label={`Add to list: ${book.title}`} />
                  </div>
                  <LibraryError text={failures.get(book.id)} />
                </BookCard>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {isFetchingNextPage ? (
        <div className="library__more-books">
          <SkeletonBooks count={5} label="Loading more" />
        </div>
      ) : null}
      <LoadMore list={query} remaining={(data.pages.at(-1)?.counts[shelf] ?? 0) - books.length}>{`Load ${LIBRARY_PAGE} more`}</LoadMore>
    </>
  );
}
