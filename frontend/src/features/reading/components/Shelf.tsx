import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { LibraryBook, ResultOf } from '@/api/types';
import { HowFar } from '@/features/reading/components/HowFar';
import { LIBRARY_PAGE, libraryQuery } from '@/features/reading/queries';
import type { ShelfName } from '@/features/reading/queries';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { BookCard } from '@/ui/BookCard';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { LoadMore } from '@/ui/LoadMore';
import { SkeletonBooks } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

type Page = ResultOf<'GET /api/library'>;

const shelfOf = (book: LibraryBook) => (book.completed ? 'finished' : book.position === null ? 'saved' : 'reading');

/** The pages seen so far without one book, and one book less on its shelves. */
const without = <K,>(seen: InfiniteData<Page, K> | undefined, book: LibraryBook): InfiniteData<Page, K> | undefined =>
  seen && {
    ...seen,
    pages: seen.pages.map((page) => ({
      ...page,
      books: page.books.filter(({ id }) => id !== book.id),
      counts: { ...page.counts, all: page.counts.all - 1, [shelfOf(book)]: page.counts[shelfOf(book)] - 1 },
    })),
  };

const EMPTY: Record<ShelfName, { title: string; text: ReactNode }> = {
  all: { title: 'Nothing on your shelf yet', text: 'Press “Add to library” on any summary, and it waits for you here.' },
  reading: { title: 'Nothing begun', text: 'Books of your library stand here from their second section on, until you complete them.' },
  finished: { title: 'Nothing finished yet', text: 'Books of your library move here when you reach their last idea.' },
  saved: { title: 'Nothing put aside', text: 'What you keep for later stands here until you begin to read it.' },
};

/** A shelf of the library, 20 books at a time. `title` takes the focus when the last book is gone. */
export function Shelf({ shelf, title }: { shelf: ShelfName; title: RefObject<HTMLHeadingElement | null> }) {
  const query = useInfiniteQuery(libraryQuery(shelf));
  const { data, error, refetch, hasNextPage, isFetchingNextPage } = query;
  const books = data?.pages.flatMap((page) => page.books) ?? [];
  const grid = useRef<HTMLUListElement>(null);
  const goneFrom = useRef<number | null>(null);

  const remove = useMutation({
    mutationFn: (book: LibraryBook) => call('DELETE /api/library/{id}', { path: { id: String(book.id) } }),
    onMutate: async (book) => {
      const { queryKey } = libraryQuery(shelf);
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (seen) => without(seen, book));
      return { before };
    },
    onSuccess: (_, book) => {
      // The other shelves had it too.
      void queryClient.invalidateQueries({ queryKey: [viewer(), 'library'], refetchType: 'none' });
      toast(`“${book.title}” was removed from your library.`);
    },
    onError: (_, _book, kept) => queryClient.setQueryData(libraryQuery(shelf).queryKey, kept?.before),
  });

  const onRemove = (book: LibraryBook, place: number) => {
    goneFrom.current = place;
    remove.mutate(book);
  };

  // The pressed button goes with its card: then the focus moves to the one that takes its place.
  useEffect(() => {
    const place = goneFrom.current;
    if (place === null) return;
    goneFrom.current = null;
    const buttons = grid.current?.querySelectorAll<HTMLButtonElement>('.library__remove') ?? [];
    (buttons[Math.min(place, buttons.length - 1)] ?? title.current)?.focus();
  }, [books.length, title]);

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
      {remove.isError ? (
        <div className="library__failure">
          <Alert kind="harm">{`“${remove.variables.title}” could not be removed. ${messageOf(remove.error)}`}</Alert>
        </div>
      ) : null}
      {books.length > 0 ? (
        <section className="library__books" aria-label="Books">
          <h2 className="visually-hidden">Books</h2>
          <ul className="book-grid" ref={grid}>
            {books.map((book, i) => (
              <li key={book.id}>
                <BookCard book={book} eager={i < 5}>
                  {book.position === null ? null : <HowFar {...book} position={book.position} />}
                  <button type="button" className="library__remove" onClick={() => onRemove(book, i)} aria-label={`Remove ${book.title} from library`}>
                    <Icon name="bookmark" filled />
                    Remove
                  </button>
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
      <LoadMore list={query}>{`Load ${LIBRARY_PAGE} more`}</LoadMore>
    </>
  );
}
