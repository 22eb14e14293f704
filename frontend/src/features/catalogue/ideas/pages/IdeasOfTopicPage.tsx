import '@/features/catalogue/ideas/ideas.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import type { ResultOf } from '@/api/types';
import { IdeaMap } from '@/features/catalogue/ideas/IdeaMap';
import { KINDS, booksOf, filterOf, kindWords, matches } from '@/features/catalogue/ideas/links';
import type { LinkFilter } from '@/features/catalogue/ideas/links';
import { ideaTopicQuery } from '@/features/catalogue/ideas/queries';
import type { IdeaLink } from '@/features/catalogue/ideas/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { useFilterParams } from '@/lib/useFilterParams';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { BackLink } from '@/ui/BackLink';
import { SelectField } from '@/ui/Field';
import { NotFound } from '@/ui/NotFound';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import { LinkButton } from '@/ui/Button';

type Topic = ResultOf<'GET /api/idea-map/{category}'>;

export const loader = async ({ params }: LoaderFunctionArgs) => {
  await settleBeforeFirstRender(queryClient.query(ideaTopicQuery(params['category'] ?? '')));
  return null;
};

/** /ideas/{category}: the links of a topic's books as a map and as a list (catalogue.idea-map). */
export function Component() {
  useSignedIn();
  const { category = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(ideaTopicQuery(category));
  const missing = isNotFound(error);
  useTitle(missing ? undefined : data ? `Ideas in ${data.category.name}` : ROUTES.ideas.title);
  if (missing) return <NotFound what="There is no such topic." to={paths.ideas} label="All topics" />;
  return (
    <div className="page ideas">
      <BackLink to={paths.ideas}>All topics</BackLink>
      {data ? (
        <TopicMap key={data.category.id} topic={data} />
      ) : isPending ? (
        <div role="status">
          <span className="visually-hidden">Loading ideas</span>
          <SkeletonText width={60} />
          <SkeletonText width={80} />
        </div>
      ) : (
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function TopicMap({ topic: { category, links, topics } }: { topic: Topic }) {
  const [params, change] = useFilterParams();
  const filter = filterOf(params, links);
  const shown = links.filter((link) => matches(link, filter));
  const set = (name: string, value: string | null) =>
    change((next) => {
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
    });
  const others = topics.filter(({ category: other }) => other.id !== category.id);
  return (
    <>
      <h1 className="page__title">{`Ideas in ${category.name}`}</h1>
      <p className="page__lead">{`How key ideas of books in ${category.name} agree, contradict and build on those of other books.`}</p>
      {links.length === 0 ? (
        <EmptyState title="No ideas are linked here yet." actions={<LinkButton to={paths.booksOf(category.subid)}>{`Books in ${category.name}`}</LinkButton>} />
      ) : (
        <>
          <IdeaMap links={links} filter={filter} onBook={(subid) => set('book', subid)} />
          <section className="section" aria-labelledby="links-title">
            <h2 className="section__title" id="links-title">
              All links
            </h2>
            <Filters links={links} filter={filter} set={set} />
            <p className="ideas__count" role="status">
              {plural(shown.length, 'link')}
            </p>
            {shown.length === 0 ? (
              <EmptyState title="No link is of this kind and this book." />
            ) : (
              <ul className="idea-links">
                {shown.map((link) => (
                  <LinkItem key={link.id} link={link} />
                ))}
              </ul>
            )}
          </section>
        </>
      )}
      {others.length > 0 ? (
        <nav className="section" aria-labelledby="topics-title">
          <h2 className="section__title" id="topics-title">
            Other topics
          </h2>
          <ul className="chips">
            {others.map(({ category: other }) => (
              <li key={other.id}>
                <Link className={`chip ${hueClass(other.hue)}`} to={paths.ideasOfTopic(other.subid)}>
                  {other.name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </>
  );
}

function Filters({ links, filter, set }: { links: readonly IdeaLink[]; filter: LinkFilter; set: (name: string, value: string | null) => void }) {
  return (
    <div className="ideas__filters">
      <SelectField label="Kind" value={filter.kind ?? ''} onChange={({ target }) => set('kind', target.value)}>
        <option value="">All kinds</option>
        {KINDS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField label="Book" value={filter.book ?? ''} onChange={({ target }) => set('book', target.value)}>
        <option value="">All books</option>
        {booksOf(links).map(({ subid, title }) => (
          <option key={subid} value={subid}>
            {title}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

function LinkItem({ link: { kind, from, to, note } }: { link: IdeaLink }) {
  return (
    <li className={`idea-link idea-link--${kind}`}>
      <LinkEnd end={from} />
      <p className="idea-link__kind">{kindWords(kind)}</p>
      <LinkEnd end={to} />
      <p className="idea-link__note">{note}</p>
    </li>
  );
}

const LinkEnd = ({ end: { subid, section, idea, author, bookTitle } }: { end: IdeaLink['from'] }) => (
  <p className="idea-link__end">
    <Link className="link" to={paths.bookAt(subid, section ?? 0)}>
      {idea}
    </Link>{' '}
    <span className="idea-link__book">
      {`${author}, `}
      <cite>{bookTitle}</cite>
    </span>
  </p>
);
