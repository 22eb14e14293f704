import '@/features/catalogue/visuals/visuals.css';
import { hintsPaid } from '@/api/hints';
import { useSignedIn } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { loadList, useRememberPages } from '@/shared/catalogue/pagedLists';
import { VisualsError } from '@/features/catalogue/visuals/components/VisualsError';
import { PictureCard } from '@/features/catalogue/visuals/components/PictureCard';
import { PicturesSkeleton } from '@/features/catalogue/visuals/components/Pictures';
import { VISUALS_READ_MINUTES, visualsQuery } from '@/features/catalogue/visuals/queries';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths, plansFor } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { LoadMore } from '@/ui/LoadMore';
import { EmptyState } from '@/ui/State';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

export const loader = () => loadList(visualsQuery());

/** What a plan unlocks here. */
const OFFER = 'With a plan, you can see the key ideas of every book, one picture each.';

/** /visuals: the books with illustrated key ideas (catalogue.visuals-list). The server renders the same markup. */
export function Component() {
  useTitle(ROUTES.visuals.title);
  const signedIn = useSignedIn();
  const { data: user } = useQuery({ ...accountQuery(), enabled: signedIn });
  const hasPlan = signedIn && (user?.isPaid ?? hintsPaid());
  const options = visualsQuery();
  const list = useInfiniteQuery(options);
  useRememberPages(options.queryKey, list);
  const { data, error, isError, refetch } = list;
  const visuals = data?.pages.flatMap((page) => page.visuals) ?? [];
  return (
    <div className="page visuals">
      <div className="visuals__head">
        <h1 className="page__title">Visual Book Summaries</h1>
        <p className="page__lead">The key ideas of a book, one picture each. For days when there is no time to read.</p>
      </div>
      {data && visuals.length === 0 ? null : (
        <dl className="visuals__stats tabular">
          <Stat name="Visual summaries" value={data?.pages[0] ? String(data.pages[0].total) : '–'} />
          <Stat name="Illustrated" value="100%" />
          <Stat name="Average read time" value={`${VISUALS_READ_MINUTES} Min`} />
        </dl>
      )}
      {visuals.length > 0 && !hasPlan ? (
        <div className="visuals__offer">
          <p>With a plan, you can see every book’s key ideas.</p>
          <LinkButton kind="primary" to={plansFor(paths.visuals)}>
            See plans
          </LinkButton>
        </div>
      ) : null}
      {!data && !isError ? <PicturesSkeleton className="picture-grid" count={8} label="Loading visual summaries" /> : null}
      {!data && isError ? <VisualsError error={error} onRetry={() => void refetch()} /> : null}
      {data && visuals.length === 0 ? (
        <EmptyState title="No Visual Summaries Yet" actions={<LinkButton to={paths.books}>Browse summaries</LinkButton>}>
          <p>The first ones are being drawn. Until then, there are plenty of summaries to read.</p>
        </EmptyState>
      ) : null}
      {visuals.length > 0 ? (
        <ul className="picture-grid">
          {visuals.map((visual, i) => (
            <li key={visual.id}>
              <PictureCard {...visual} eager={i < 4} offer={hasPlan || visual.book.free ? null : OFFER} />
            </li>
          ))}
        </ul>
      ) : null}
      <LoadMore list={list} large />
    </div>
  );
}

function Stat({ name, value }: { name: string; value: string }) {
  return (
    <div className="visuals__stat">
      <dt className="visuals__stat-name">{name}</dt>
      <dd className="visuals__stat-value">{value}</dd>
    </div>
  );
}
