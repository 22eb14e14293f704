import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { queryString } from '@/api/client';
import { LACKING } from '@/features/admin/books/queries';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { contentOverviewQuery } from '@/features/admin/overview/queries';
import type { ContentOverview as Overview, OverviewBook } from '@/features/admin/overview/queries';
import { ROUTES, paths } from '@/features/admin/paths';
import { formatMoment, formatNumber, isoDate, plural } from '@/lib/format';
import { ErrorState } from '@/ui/State';

type Lacking = Overview['incomplete'][number]['lacking'];

/** The page that adds what a book lacks. */
const MENDED_AT: Record<Lacking, (book: OverviewBook) => string> = {
  cover: ({ id }) => paths.adminBookPhoto(id),
  audio: ({ id }) => paths.adminBookMedia(id),
  key_ideas: ({ subid }) => `${paths.adminVisualAdd}?${queryString({ book: subid })}`,
};

const booksList = (filter: object) => `${paths.adminBooks}?${queryString(filter)}`;

/** What editors see to: unpublished and incomplete books, searches without a result, and where readers stop (admin.content-overview). */
export function ContentOverview() {
  const { data, error, refetch } = useQuery(contentOverviewQuery());
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <RowsSkeleton label="Loading the overview" />;
  return (
    <div className="overview">
      <Drafts drafts={data.drafts} />
      <Scheduled {...data.scheduled} />
      <Incomplete lists={data.incomplete} />
      <Searches searches={data.searches} days={data.searchDays} />
      <DropOffs books={data.dropOffs} days={data.dropOffDays} />
    </div>
  );
}

interface PanelProps {
  title: string;
  count?: number;
  /** Where the whole list is, or where something is added. */
  link?: { label: string; to: string };
  note?: string;
  /** Shown instead of the content, when there is none. */
  empty: string | null;
  children: ReactNode;
}

function Panel({ title, count = 0, link, note, empty, children }: PanelProps) {
  const id = useId();
  return (
    <section className="overview__panel" aria-labelledby={id}>
      <div className="overview__head">
        <h2 className="overview__title" id={id}>
          {title}
        </h2>
        {count > 0 ? <span className="admin__total">{formatNumber(count)}</span> : null}
        {link ? (
          <Link className="link admin__add" to={link.to}>
            {link.label}
          </Link>
        ) : null}
      </div>
      {empty === null ? (
        <>
          {note === undefined ? null : <p className="admin__note">{note}</p>}
          {children}
        </>
      ) : (
        <p className="admin__note">{empty}</p>
      )}
    </section>
  );
}

interface BooksProps {
  label: string;
  books: readonly OverviewBook[];
  to?: (book: OverviewBook) => string;
  noteOf: (book: OverviewBook) => string;
}

function Books({ label, books, to = ({ id }) => paths.adminBookEdit(id), noteOf }: BooksProps) {
  return (
    <ul aria-label={label}>
      {books.map((book) => (
        <li key={book.id} className="overview__row">
          <Link className="overview__link" to={to(book)}>
            {book.title}
          </Link>
          <span className="overview__fact">{noteOf(book)}</span>
        </li>
      ))}
    </ul>
  );
}

const added = ({ uploadDate }: OverviewBook) => `Added ${isoDate(uploadDate)}`;

function Drafts({ drafts: { count, newest, oldest } }: { drafts: Overview['drafts'] }) {
  const all = count > 0 ? { label: 'All drafts', to: booksList({ state: 'draft' }) } : { label: ROUTES.adminBookAdd.title, to: paths.adminBookAdd };
  return (
    <Panel title="Drafts" count={count} link={all} empty={count === 0 ? 'No drafts.' : null}>
      <Books label="Newest drafts" books={newest} noteOf={added} />
      {oldest.length > 0 ? (
        <>
          <h3 className="overview__part">Waiting longest</h3>
          <Books label="Oldest drafts" books={oldest} noteOf={added} />
        </>
      ) : null}
    </Panel>
  );
}

function Scheduled({ count, books }: Overview['scheduled']) {
  return (
    <Panel
      title="Scheduled"
      count={count}
      {...(count > 0 && { link: { label: 'All scheduled', to: booksList({ state: 'scheduled' }) } })}
      empty={count === 0 ? 'Nothing is scheduled.' : null}
    >
      <Books label="Scheduled books" books={books} noteOf={({ publishAt }) => (publishAt === null ? '' : formatMoment(publishAt))} />
    </Panel>
  );
}

function Incomplete({ lists }: { lists: Overview['incomplete'] }) {
  const found = lists.filter(({ count }) => count > 0);
  return (
    <Panel title="Published, but not complete" empty={found.length === 0 ? 'Every published book has a cover, audio and illustrated key ideas.' : null}>
      {found.map(({ lacking, count, books }) => {
        const label = LACKING.find(({ value }) => value === lacking)?.label ?? lacking;
        return (
          <div key={lacking}>
            <div className="overview__head">
              <h3 className="overview__part">{label}</h3>
              <Link className="link admin__add" to={booksList({ state: 'published', lacking })} aria-label={`${label}: see all ${formatNumber(count)}`}>
                {`All ${formatNumber(count)}`}
              </Link>
            </div>
            <Books label={label} books={books} to={MENDED_AT[lacking]} noteOf={({ author }) => author} />
          </div>
        );
      })}
    </Panel>
  );
}

function Searches({ searches, days }: { searches: Overview['searches']; days: number }) {
  return (
    <Panel
      title="Searches without a result"
      link={{ label: ROUTES.adminBookAdd.title, to: paths.adminBookAdd }}
      note={`In the last ${days} days. Nothing is kept of who searched.`}
      empty={searches.length === 0 ? 'No search without a result was made twice.' : null}
    >
      <ul aria-label="Searches without a result">
        {searches.map(({ words, count }) => (
          <li key={words} className="overview__row">
            <Link className="overview__link" to={booksList({ q: words })} aria-label={`${words}: look for a book to mend`}>
              {words}
            </Link>
            <Link className="link" to={`${paths.books}?${queryString({ q: words })}`} aria-label={`${words}: see what readers find`}>
              See it
            </Link>
            <span className="overview__fact">{plural(count, 'search', 'searches')}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function DropOffs({ books, days }: { books: Overview['dropOffs']; days: number }) {
  return (
    <Panel
      title="Where readers stop"
      note={`The section after which most readers of a book went no further, in the last ${days} days.`}
      empty={books.length === 0 ? 'No book has enough readers yet.' : null}
    >
      <ul aria-label="Where readers stop">
        {books.map(({ id, title, section, sectionTitle, readers, stopped }) => (
          <li key={id} className="overview__row">
            <span className="overview__two">
              <Link className="overview__link" to={paths.adminBookEdit(id)}>
                {title}
              </Link>
              <span className="overview__under">{`${section + 1}. ${sectionTitle}`}</span>
            </span>
            <span className="overview__fact">{`${formatNumber(stopped)} of ${plural(readers, 'reader')}`}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
