import { useQuery } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { useRef, useSyncExternalStore } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf, Shelves } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { loadList } from '@/shared/catalogue/pagedLists';
import { DeviceShelf } from '@/features/reading-progress/reading/components/DeviceShelf';
import { ReadingHistory } from '@/features/reading-progress/reading/components/ReadingHistory';
import { Shelf } from '@/features/reading-progress/reading/components/Shelf';
import { SHELVES, libraryQuery, readingHistoryQuery } from '@/features/reading-progress/reading/queries';
import type { ShelfName } from '@/features/reading-progress/reading/queries';
import { formatNumber } from '@/lib/format';
import { useScrollToCurrent } from '@/lib/useScrollToCurrent';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Icon } from '@/ui/Icon';
import '@/features/reading-progress/reading/library.css';

type View = ShelfName | 'history' | 'device';

/** The view in the URL: a shelf of the library, the history, or the books on this device. */
function viewOf(params: URLSearchParams): View {
  const view = params.get('view');
  if (view === 'history' || view === 'device') return view;
  return SHELVES.find((shelf) => shelf === params.get('shelf')) ?? 'all';
}

export const loader = ({ request }: LoaderFunctionArgs) => {
  const view = viewOf(new URL(request.url).searchParams);
  if (view !== 'history' && view !== 'device') return loadList(libraryQuery(view));
  // The other views show the shelves' counts too, but do not wait for them.
  queryClient.infiniteQuery(libraryQuery('all')).catch(() => undefined);
  return view === 'history' ? loadList(readingHistoryQuery()) : null;
};

const TABS: readonly { view: View; label: string; to: string }[] = [
  { view: 'all', label: 'All', to: paths.library },
  { view: 'reading', label: 'Reading', to: paths.shelf('reading') },
  { view: 'finished', label: 'Finished', to: paths.shelf('finished') },
  { view: 'saved', label: 'Saved', to: paths.shelf('saved') },
  { view: 'history', label: 'History', to: paths.history },
  { view: 'device', label: 'Offline', to: paths.onThisDevice },
];

/** The number of books on each shelf, from the latest response; null when there is none. */
function latestCounts(): Shelves | null {
  const known = queryClient
    .getQueryCache()
    .findAll({ queryKey: [viewer(), 'library'] })
    .filter(({ state }) => state.data !== undefined)
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)[0];
  const data = known?.state.data as InfiniteData<ResultOf<'GET /api/library'>> | undefined;
  return data?.pages.at(-1)?.counts ?? null;
}

const subscribe = (listener: () => void) => queryClient.getQueryCache().subscribe(listener);

/** /library: the member's saved and finished books by shelf, and the reading history (reading-progress.library-pages). */
export function Component() {
  const [params] = useSearchParams();
  const view = viewOf(params);
  const { data: user } = useQuery(accountQuery());
  const counts = useSyncExternalStore(subscribe, latestCounts);
  const tabs = useScrollToCurrent<HTMLUListElement>(view, counts);
  const title = useRef<HTMLHeadingElement>(null);
  useTitle(ROUTES.library.title);
  return (
    <div className="page">
      <div className="library__head">
        <h1 className="page__title" ref={title} tabIndex={-1}>
          Your Library
        </h1>
        <div className="library__links">
          <Link className="link link--more" to={paths.lists}>
            Lists
            <Icon name="arrowRight" />
          </Link>
          {user?.isPaid ? (
            <Link className="link link--more" to={paths.ownSummaries}>
              Summaries of your own texts
              <Icon name="arrowRight" />
            </Link>
          ) : null}
        </div>
      </div>
      <nav className="library__tabs" aria-label="Shelves">
        <ul className="library__tab-row" ref={tabs}>
          {TABS.map((tab) => (
            <li key={tab.view}>
              <Link className="library__tab" to={tab.to} aria-current={tab.view === view ? 'page' : undefined} preventScrollReset>
                {tab.label}{' '}
                {tab.view !== 'history' && tab.view !== 'device' && counts ? (
                  <span className="library__count tabular">{formatNumber(counts[tab.view])}</span>
                ) : null}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {view === 'history' ? (
        <ReadingHistory title={title} />
      ) : view === 'device' ? (
        <DeviceShelf title={title} />
      ) : (
        <Shelf key={view} shelf={view} title={title} />
      )}
    </div>
  );
}
