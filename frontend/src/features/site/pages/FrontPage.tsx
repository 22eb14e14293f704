import '@/features/site/front.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { TryFree } from '@/shared/payment/TryFree';
import { OpenBook } from '@/features/site/components/OpenBook';
import { frontQuery } from '@/features/site/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { plural } from '@/lib/format';
import { site } from '@/lib/site';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { BookGrid } from '@/ui/BookCard';
import { LinkButton } from '@/ui/Button';
import { CategoryTiles } from '@/ui/CategoryTile';
import { Icon } from '@/ui/Icon';
import { SkeletonBooks, SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () => settleBeforeFirstRender(queryClient.query(frontQuery()));

const STEPS = [
  { title: 'Pick what you are curious about', text: `Choose a few categories. ${site.name} puts the books that fit on your home page.` },
  { title: 'Read one in a quarter of an hour', text: 'Each summary is six to ten key ideas, one to a page, in plain and careful prose.' },
  { title: 'Keep what you read', text: 'Your place, your library and your progress wait for you on every device.' },
] as const;

export function Component() {
  useTitle(ROUTES.front.title);
  const signedIn = useSignedIn();
  const { data, error, isError, refetch } = useQuery(frontQuery());
  return (
    <>
      <div className="front__hero">
        <div className="front__intro">
          <h1 className="front__title">Read the pith of a great book in fifteen minutes</h1>
          <div className="front__aside">
            <p className="front__lead">Summaries of the non-fiction that lasts, written to be read. This one is open: turn its pages, no account needed.</p>
            <div className="front__actions">
              {signedIn ? (
                <LinkButton kind="primary" large to={paths.home}>
                  My Home
                </LinkButton>
              ) : (
                <TryFree large />
              )}
              <LinkButton kind="quiet" large to={paths.books}>
                {data ? `Browse ${plural(data.bookCount, 'summary', 'summaries')}` : 'Browse summaries'}
              </LinkButton>
            </div>
          </div>
        </div>
        {data ? data.hero && <OpenBook book={data.hero} /> : isError ? <ErrorState error={error} onRetry={() => void refetch()} /> : <OpenBookSkeleton />}
      </div>

      <div className="page front__rest">
        <section className="section">
          <div className="section__head">
            <h2 className="section__title">Popular now</h2>
            <Link className="link link--more section__more" to="/books?sort=trending">
              All summaries
              <Icon name="chevronRight" />
            </Link>
          </div>
          {data ? (
            <BookGrid books={data.popular} className="book-grid book-grid--four" />
          ) : isError ? null : (
            <SkeletonBooks count={8} className="book-grid book-grid--four" />
          )}
        </section>

        <section className="section">
          <h2 className="section__title front__head">Find your subject</h2>
          {data ? <CategoryTiles categories={data.categories} /> : null}
        </section>

        <section className="section">
          <h2 className="section__title front__head">How it works</h2>
          <ol className="steps">
            {STEPS.map(({ title, text }) => (
              <li key={title} className="steps__step">
                <h3 className="steps__title">{title}</h3>
                <p className="steps__text">{text}</p>
              </li>
            ))}
          </ol>
        </section>

        {signedIn ? null : (
          <section className="front__try">
            <h2 className="front__try-title">Your first three are free</h2>
            <p className="front__try-text">Three full summaries when you sign up, one more each month after that. No card needed.</p>
            <TryFree large />
          </section>
        )}
      </div>
    </>
  );
}

function OpenBookSkeleton() {
  return (
    <div className="open-book open-book--loading" role="status" aria-label="Loading a summary">
      <div className="open-book__left">
        {[60, 80, 70, 90, 65, 75].map((width) => (
          <SkeletonText key={width} width={width} />
        ))}
      </div>
      <div className="open-book__right">
        {[50, 100, 96, 99, 92, 97, 40].map((width) => (
          <SkeletonText key={width} width={width} />
        ))}
      </div>
    </div>
  );
}
