import '@/features/editorial/product/product.css';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { BulkOrder } from '@/features/editorial/product/components/BulkOrder';
import { useSignedIn } from '@/api/session';
import { FreeSummaries } from '@/shared/account/FreeSummaries';
import { accountQuery } from '@/shared/session/account';
import { Faq } from '@/features/editorial/product/components/Faq';
import { Offers } from '@/features/editorial/product/components/Offers';
import { GivenGifts } from '@/shared/payment/GivenGifts';
import { Seats } from '@/shared/payment/Seats';
import { TeamLists } from '@/shared/payment/TeamLists';
import { productQuery } from '@/shared/payment/product';
import type { ProductPage } from '@/shared/payment/product';
import { errorMessageOf, targetOf } from '@/lib/errorMessage';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { safeRedirect } from '@/lib/redirect';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

/** The slugs of paths that differ from them. */
const SLUGS: Record<string, string> = { [paths.pricing]: 'try', [paths.refer]: 'affiliate' };
const slugAt = (pathname: string) => {
  const path = pathname.replace(/\/$/, '');
  return SLUGS[path] ?? path.slice(1);
};

export const loader = ({ request }: LoaderFunctionArgs) => settleBeforeFirstRender(queryClient.query(productQuery(slugAt(new URL(request.url).pathname))));

/** /try, /pricing, /teams, /giftcard, /refer and /affiliate: offers, prices, questions and answers. */
export function Component() {
  const slug = slugAt(useLocation().pathname);
  const { data, error, isError, refetch } = useQuery(productQuery(slug));
  useTitle(data?.page.title);
  if (data) return <ProductView page={data.page} slug={slug} />;
  if (isError) {
    return (
      <div className="page">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className="page product" role="status">
      <span className="visually-hidden">Loading</span>
      <div className="product__head" aria-hidden="true">
        <span className="skeleton product__title-skeleton" />
        <SkeletonText width={90} />
        <SkeletonText width={60} />
      </div>
    </div>
  );
}

/** When the next free summary comes, for a member whose free summaries are used up. */
function NextFree() {
  const { data: user } = useQuery(accountQuery());
  return user ? <FreeSummaries user={user} className="product__limit" onlyUsedUp /> : null;
}

function ProductView({ page, slug }: { page: ProductPage; slug: string }) {
  const [params] = useSearchParams();
  const signedIn = useSignedIn();
  const state: unknown = useLocation().state;
  const why = errorMessageOf(state);
  const target = safeRedirect(params.get('redirect') ?? targetOf(state));
  const action = page.link ? (
    <LinkButton kind="primary" large to={page.link.href}>
      {page.link.text}
    </LinkButton>
  ) : null;
  return (
    <div className="page product">
      <header className="product__head">
        <h1 className="product__title">{page.heading}</h1>
        <p className="product__lead">{page.lead}</p>
        {page.slug === 'teams' ? <BulkOrder /> : action ? <p className="product__action">{action}</p> : null}
      </header>
      {why === null ? null : (
        <p className="alert alert--info product__limit" role="status">
          {why}
        </p>
      )}
      {page.limitReached !== null && params.get('limit_reached') === 'yes' ? (
        <p className="alert alert--info product__limit" role="status">
          {page.limitReached}
        </p>
      ) : null}
      {signedIn && params.get('limit_reached') === 'yes' ? <NextFree /> : null}
      {slug === 'teams' && signedIn ? (
        <>
          <Seats />
          <TeamLists />
          <GivenGifts />
        </>
      ) : null}
      {page.offers.length > 0 ? <Offers offers={page.offers} target={target} /> : null}
      <section className="product__blocks" aria-labelledby="blocks-title">
        <h2 className="section__title" id="blocks-title">
          {page.offers.length > 0 ? 'In every plan' : 'How it works'}
        </h2>
        <ul className="blocks">
          {page.blocks.map(({ title, text }) => (
            <li key={title} className="blocks__block">
              <h3 className="blocks__title">{title}</h3>
              <p className="blocks__text">{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <Faq questions={page.questions} />
      {action ? <p className="product__end">{action}</p> : null}
    </div>
  );
}
