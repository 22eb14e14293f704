import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router';
import { Link, useMatches, useParams } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { useSignedIn } from '@/api/session';
import { Preview } from '@/features/reading-progress/reading/components/Preview';
import { Reader } from '@/features/reading-progress/reading/components/Reader';
import { ReaderSkeleton } from '@/features/reading-progress/reading/components/ReaderSkeleton';
import { openAt } from '@/features/reading-progress/reading/opening';
import { bookQuery } from '@/features/reading-progress/reading/queries';
import { readerEndChunk } from '@/features/reading-progress/reading/readerEndChunk';
import { whereYouWereChunk } from '@/features/reading-progress/reading/whereYouWereChunk';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { hueClass } from '@/lib/hue';
import { splitSections } from '@/lib/sections';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';
import { ErrorState } from '@/ui/State';
import '@/shared/reader/reader.css';

/** The error message of the page (reading-progress.reader-controls). */
const LOAD_FAILURE = 'There was an error. Please try again later.';

let visits = 0;

/** Each visit fetches its book once. The first page may embed its data; later visits fetch it again. */
export function loader({ params }: LoaderFunctionArgs) {
  const query = bookQuery(params['id'] ?? '');
  if (visits > 0) queryClient.removeQueries({ queryKey: query.queryKey, exact: true });
  visits += 1;
  return settleBeforeFirstRender(queryClient.query(query).then(loadChunks));
}

/** Loads the chunks of what a book opens with: its end, or where the member was. */
async function loadChunks({ book, user }: ResultOf<'GET /api/books/{id}'>): Promise<void> {
  if (book.body === null) return;
  const { atEnd, isReturn } = openAt(book, user?.id ?? null, book.sections.length);
  await Promise.all([atEnd && readerEndChunk.load(), isReturn && whereYouWereChunk.load()]);
}

/** A link to the same path (another section) is the same visit. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) => currentUrl.pathname !== nextUrl.pathname;

export function Component() {
  const { id = '' } = useParams();
  // The query's key begins with the kind of viewer: after a logout the page shows what a visitor may see.
  const signedIn = useSignedIn();
  const bare = useMatches().some(({ handle }) => (handle as { bare?: boolean } | undefined)?.bare);
  const { data, error, refetch } = useQuery(bookQuery(id));
  const book = data?.book;
  useTitle(book ? `${book.title} by ${book.author}` : error ? 'Error' : 'Summary');
  // The book whose preview was shown on this visit: if its full text follows, a button press opened it.
  const [opened, setOpened] = useState<number | null>(null);
  if (book && book.body === null && opened !== book.id) setOpened(book.id);
  const body = book?.body ?? '';
  const sections = useMemo(() => splitSections(body), [body]);

  if (!book) {
    if (isNotFound(error)) throw error;
    if (error) {
      return (
        <div className="page">
          <ErrorState level={1} error={error} message={LOAD_FAILURE} onRetry={() => void refetch()} />
        </div>
      );
    }
    return <ReaderSkeleton />;
  }

  const reading = sections.length > 0;
  const wasOpened = opened === book.id && reading;
  const member = signedIn ? (data.user?.id ?? null) : null;
  return (
    <article className={`book ${hueClass(book.categories[0]?.hue ?? 60)}`}>
      {bare && !reading ? (
        <Link className="icon-button book__leave" to={signedIn ? paths.home : paths.books} aria-label="Close the book" title="Close the book">
          <Icon name="close" />
        </Link>
      ) : null}
      {reading ? (
        <Reader key={`${book.id}-${String(signedIn)}`} book={book} id={id} sections={sections} member={member} bare={bare} wasOpened={wasOpened} />
      ) : (
        <Preview book={book} id={id} member={member} />
      )}
    </article>
  );
}
