import '@/features/catalogue/books.css';
import '@/features/catalogue/discovery.css';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { useSignedIn } from '@/api/session';
import type { AuthorsResult } from '@/api/types';
import { loadList, useRememberPages } from '@/shared/catalogue/pagedLists';
import { authorsQuery } from '@/features/catalogue/queries';
import { plural } from '@/lib/format';
import { useScrollToCurrent } from '@/lib/useScrollToCurrent';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { LoadMore } from '@/ui/LoadMore';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

type Author = AuthorsResult['authors'][number];

/** The letter in the URL, normalized as on the server. */
const letterOf = (params: URLSearchParams) => {
  const letter = (params.get('letter') ?? '').toLowerCase();
  return /^([a-z]|other)$/.test(letter) ? letter : '';
};
const shown = (letter: string) => (letter === 'other' ? '#' : letter.toUpperCase());

export const loader = ({ request }: LoaderFunctionArgs) => loadList(authorsQuery(letterOf(new URL(request.url).searchParams)));

export function Component() {
  useSignedIn();
  useTitle(ROUTES.authors.title);
  const [params] = useSearchParams();
  const chosen = letterOf(params);
  const options = authorsQuery(chosen);
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });
  const pages = list.data?.pages ?? [];
  const authors = pages.flatMap((page) => page.authors);
  const letters = useScrollToCurrent<HTMLUListElement>(chosen, pages[0]?.letters);
  // When all authors are on one page, a letter is a link to an anchor.
  const whole = chosen === '' && pages.length === 1 && !list.hasNextPage;
  useRememberPages(options.queryKey, list);

  return (
    <div className="page">
      <h1 className="page__title">Book Authors</h1>
      <nav className="directory__letters" aria-label="Letters">
        <ul className="directory__index" ref={letters}>
          {(pages[0]?.letters ?? []).map((letter) => (
            <li key={letter}>
              {whole ? (
                <a className="directory__letter" href={`#letter-${letter}`}>
                  {shown(letter)}
                </a>
              ) : (
                <Link
                  className="directory__letter"
                  to={letter === chosen ? paths.authors : `${paths.authors}?letter=${letter}`}
                  preventScrollReset
                  aria-current={letter === chosen ? 'true' : undefined}
                >
                  {shown(letter)}
                </Link>
              )}
            </li>
          ))}
        </ul>
      </nav>
      {list.isPending ? (
        <DirectorySkeleton />
      ) : authors.length === 0 && list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : authors.length === 0 ? (
        <EmptyState title="There are no authors here" actions={<LinkButton to={paths.authors}>All authors</LinkButton>} />
      ) : (
        <div className="directory" aria-busy={list.isPlaceholderData}>
          {groupsOf(authors).map(([letter, group]) => (
            <section key={letter} className="directory__group" id={`letter-${letter}`} aria-labelledby={`title-${letter}`}>
              <h2 className="directory__title" id={`title-${letter}`}>
                {shown(letter)}
              </h2>
              <ul className="directory__list">
                {group.map(({ slug, name, bookCount }) => (
                  <li key={slug}>
                    <Link className="directory__author" to={paths.author(slug)}>
                      <span className="directory__name">{name}</span>
                      <span className="directory__count">{plural(bookCount, 'summary', 'summaries')}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      <LoadMore list={list} large />
    </div>
  );
}

function groupsOf(authors: readonly Author[]): [string, Author[]][] {
  const groups = new Map<string, Author[]>();
  for (const author of authors) groups.set(author.letter, [...(groups.get(author.letter) ?? []), author]);
  return [...groups];
}

const DirectorySkeleton = () => (
  <div role="status">
    <span className="visually-hidden">Loading authors</span>
    <div aria-hidden="true">
      {[45, 60, 50, 70].map((width) => (
        <div key={width} className="directory__group">
          <SkeletonText />
          <SkeletonText width={width} />
        </div>
      ))}
    </div>
  </div>
);
