import '@/features/challenge/onboarding/onboarding.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { PlanList } from '@/shared/payment/OfferButton';
import { TryFree } from '@/shared/payment/TryFree';
import { isNothing, storedChoices } from '@/shared/session/onboardingChoices';
import { productQuery } from '@/shared/payment/product';
import { fittingBooksQuery, onboardingQuery } from '@/features/challenge/onboarding/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { hueClass } from '@/lib/hue';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { BookGrid } from '@/ui/BookCard';
import { LinkButton } from '@/ui/Button';
import { SkeletonBooks, SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () =>
  settleBeforeFirstRender(queryClient.query(onboardingQuery()), queryClient.query(fittingBooksQuery(storedChoices())), queryClient.query(productQuery('try')));

/** /secret, the end of onboarding: the choices, five matching books, and the plans (challenge.onboarding-result). */
export function Component() {
  useTitle(ROUTES.secret.title);
  const signedIn = useSignedIn();
  const [choices] = useState(() => storedChoices());
  const { data: page } = useQuery(onboardingQuery());
  const books = useQuery(fittingBooksQuery(choices));
  const product = useQuery(productQuery('try'));
  const chosen = [
    ...(page?.goals ?? [])
      .filter(({ id }) => choices.goals.includes(id))
      .map(({ id, shortTitle, title }) => ({ key: `goal-${id}`, name: shortTitle || title, hue: '' })),
    ...(page?.categories ?? [])
      .filter(({ id }) => choices.categories.includes(id))
      .map(({ id, name, hue }) => ({ key: `category-${id}`, name, hue: hueClass(hue) })),
  ];
  return (
    <div className="page secret">
      <h1 className="page__title">{isNothing(choices) ? 'Five to start with' : 'Your list is ready'}</h1>
      {chosen.length > 0 ? (
        <>
          <h2 className="visually-hidden">What you chose</h2>
          <ul className="secret__chosen">
            {chosen.map(({ key, name, hue }) => (
              <li key={key} className={`chip ${hue}`}>
                {name}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <p className="secret__change">
        <Link className="link" to={paths.getStarted}>
          {isNothing(choices) ? 'Tell us what you are curious about' : 'Change your choices'}
        </Link>
      </p>
      <section className="secret__books" aria-labelledby="fitting-title">
        <h2 className="section__title" id="fitting-title">
          {isNothing(choices) ? 'Popular now' : 'Five books that fit'}
        </h2>
        {books.data ? (
          <BookGrid books={books.data} eager={5} className="book-grid secret__grid" />
        ) : books.error ? (
          <ErrorState error={books.error} onRetry={() => void books.refetch()} />
        ) : (
          <SkeletonBooks count={5} className="book-grid secret__grid" />
        )}
      </section>
      <section className="secret__plans" aria-labelledby="plans-title">
        <h2 className="section__title" id="plans-title">
          {signedIn ? 'Read them all' : 'Three of them are free with an account'}
        </h2>
        <div className="secret__actions">
          {signedIn ? (
            <LinkButton kind="primary" large to={paths.home}>
              My Home
            </LinkButton>
          ) : (
            <TryFree large />
          )}
          <p className="secret__note">{signedIn ? 'Or with a plan:' : 'We will keep your choices. Or get everything at once, with a plan:'}</p>
        </div>
        {product.data ? <PlanList offers={product.data.page.offers} target={paths.secret} /> : product.isError ? null : <SkeletonText width={60} />}
      </section>
    </div>
  );
}
