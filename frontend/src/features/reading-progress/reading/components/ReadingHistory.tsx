import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { HistoryEntry, ResultOf } from '@/api/types';
import { useRememberPages } from '@/shared/catalogue/pagedLists';
import { LibraryError } from '@/features/reading-progress/reading/components/LibraryError';
import { byDay } from '@/features/reading-progress/reading/historyDays';
import { LIBRARY_PAGE, libraryQuery, readingHistoryQuery } from '@/features/reading-progress/reading/queries';
import { useOptimisticRemoval } from '@/features/reading-progress/reading/useOptimisticRemoval';
import { formatNumber, plural } from '@/lib/format';
import { onFirstUse } from '@/lib/onFirstUse';
import { paths } from '@/paths';
import { BookCover } from '@/ui/BookCard';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { LoadMore } from '@/ui/LoadMore';
import { ReadingProgressBar } from '@/ui/ReadingProgressBar';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

const time = onFirstUse(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }));

type Page = ResultOf<'GET /api/user-book-history'>;

/** Adjusts the counts by one entry. */
const count = (page: Page, entry: HistoryEntry, by: 1 | -1): Page => ({
  ...page,
  counts: { all: page.counts.all + by, completed: page.counts.completed + (entry.completed ? by : 0) },
});

/** The member's reading history by day; entries can be hidden. `title` takes the focus when the last entry is removed. */
export function ReadingHistory({ title }: { title: RefObject<HTMLHeadingElement | null> }) {
  const options = readingHistoryQuery();
  const query = useInfiniteQuery(options);
  useRememberPages(options.queryKey, query);
  const { data, error, refetch, hasNextPage } = query;
  const [now] = useState(() => Date.now());
  const entries = data?.pages.flatMap((page) => page.books) ?? [];
  const { list, failures, remove } = useOptimisticRemoval<HistoryEntry, Page>({
    queryKey: options.queryKey,
    shown: entries.length,
    send: (entry) => call('DELETE /api/user-book-history/{id}', { path: { id: String(entry.id) } }),
    undo: (entry) => call('POST /api/user-book-history/{id}/show', { path: { id: String(entry.id) } }),
    count,
    onChanged: (now) => {
      // A finished book leaves the library and the progress with its entry (reading-progress.agreeing-counts).
      for (const name of ['history', 'library', 'progress'])
        void queryClient.invalidateQueries({ queryKey: [viewer(), name], refetchType: now ? 'active' : 'none' });
      // The tabs above show the shelves' counts.
      if (!now) queryClient.infiniteQuery(libraryQuery('all')).catch(() => undefined);
    },
    said: (entry) => `“${entry.title}” is hidden. It comes back when you read it again.`,
    done: 'hidden',
    buttons: '.visit__hide',
    fallback: title,
  });

  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <HistorySkeleton />;
  if (entries.length === 0 && !hasNextPage) {
    return (
      <EmptyState
        title="Nothing read yet"
        actions={
          <LinkButton kind="primary" to={paths.books}>
            Browse summaries
          </LinkButton>
        }
      >
        <p>Every summary you open is listed here, with the place where you stopped.</p>
      </EmptyState>
    );
  }
  const counts = data.pages.at(-1)?.counts ?? { all: entries.length, completed: 0 };
  return (
    <div className="history" ref={list}>
      <p className="history__total tabular">{`${plural(counts.all, 'summary', 'summaries')}, ${formatNumber(counts.completed)} finished`}</p>
      <p className="history__hint">Hiding a summary takes it out of your finished books too. Your place, your XP and what you saved stay as they are.</p>
      {byDay(entries, now).map(({ day, entries: ofDay }) => (
        <section key={day} className="history__day" aria-label={day}>
          <h2 className="history__date">{day}</h2>
          <ul className="history__visits">
            {ofDay.map((entry) => (
              <li key={entry.id} className="visit">
                <div className="visit__cover book-card__cover">
                  <BookCover book={entry} />
                </div>
                <div className="visit__text">
                  <h3 className="visit__title">
                    <Link className="visit__link" to={paths.book(entry.subid)}>
                      {entry.title}
                    </Link>
                  </h3>
                  <p className="visit__author">{entry.author}</p>
                </div>
                <div className="visit__progress">
                  <ReadingProgressBar {...entry} />
                </div>
                <p className="visit__time tabular">{time().format(entry.at)}</p>
                <button
                  type="button"
                  className="visit__hide"
                  data-entry={entry.id}
                  onClick={() => remove(entry, entries.indexOf(entry))}
                  aria-label={`Hide ${entry.title} from history`}
                >
                  <Icon name="eyeOff" />
                  <span className="visit__hide-text">Hide</span>
                </button>
                <LibraryError text={failures.get(entry.id)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <LoadMore list={query} remaining={counts.all - entries.length}>{`Load ${LIBRARY_PAGE} more`}</LoadMore>
    </div>
  );
}

function HistorySkeleton() {
  return (
    <div className="history" role="status">
      <span className="visually-hidden">Loading your history</span>
      <div className="history__day" aria-hidden="true">
        {[60, 45, 70, 50].map((width, i) => (
          <div key={i} className="visit">
            <span className="visit__cover skeleton skeleton--cover" />
            <div className="visit__text">
              <SkeletonText width={width} />
              <SkeletonText width={width / 2} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
