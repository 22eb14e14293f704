import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { BookCard as Card } from '@/api/types';
import { LIBRARY_PAGE, libraryQuery } from '@/features/reading/queries';
import { settleFirst } from '@/lib/start';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { BookCard } from '@/ui/BookCard';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { SkeletonBooks } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';
import '@/features/reading/library.css';

export const loader = () => settleFirst(queryClient.infiniteQuery(libraryQuery()));

interface Shelf {
  books: Card[];
  next: string | null;
}

/** The pages seen so far without one book. */
const without = <P extends Shelf, K>(seen: InfiniteData<P, K> | undefined, id: number): InfiniteData<P, K> | undefined =>
  seen && { ...seen, pages: seen.pages.map((page) => ({ ...page, books: page.books.filter((book) => book.id !== id) })) };

/** /library: what the member put aside, 20 at a time (member.md §2). */
export function Component() {
  useTitle('Your Library');
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = useInfiniteQuery(libraryQuery());
  const books = data?.pages.flatMap((page) => page.books) ?? [];
  const grid = useRef<HTMLUListElement>(null);
  const title = useRef<HTMLHeadingElement>(null);

  const remove = useMutation({
    mutationFn: (book: Card) => call('DELETE /api/library/{id}', { path: { id: String(book.id) } }),
    onMutate: async (book) => {
      const { queryKey } = libraryQuery();
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (seen) => without(seen, book.id));
      return { before };
    },
    onSuccess: (_, book) => toast(`“${book.title}” was removed from your library.`),
    onError: (_, _book, kept) => queryClient.setQueryData(libraryQuery().queryKey, kept?.before),
  });

  const onRemove = (book: Card, place: number) => {
    remove.mutate(book);
    // The pressed button goes with its card: the focus moves to the one that takes its place.
    requestAnimationFrame(() => {
      const buttons = grid.current?.querySelectorAll<HTMLButtonElement>('.library__remove') ?? [];
      (buttons[Math.min(place, buttons.length - 1)] ?? title.current)?.focus();
    });
  };

  return (
    <div className="page">
      <h1 className="page__title" ref={title} tabIndex={-1}>
        Your Library
      </h1>
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? (
        <div className="library__books">
          <SkeletonBooks count={10} label="Loading your library" />
        </div>
      ) : null}
      {data && books.length === 0 && !hasNextPage ? (
        <EmptyState
          title="Nothing on your shelf yet"
          actions={
            <LinkButton kind="primary" to={paths.books}>
              Browse summaries
            </LinkButton>
          }
        >
          <p>Press “Add to library” on any summary, and it waits for you here.</p>
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
      {isFetchNextPageError ? (
        <div className="library__failure">
          <Alert kind="harm">{messageOf(error)}</Alert>
        </div>
      ) : null}
      {hasNextPage ? (
        <div className="library__more">
          <Button busy={isFetchingNextPage} busyText="Loading…" onClick={() => void fetchNextPage()}>
            {`Load ${LIBRARY_PAGE} more`}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
