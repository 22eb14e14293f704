import '@/features/billing/checkout/checkout.css';
import { Suspense, lazy, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { checkoutSettingsQuery, quoteQuery } from '@/shared/payment/checkout';
import { storedChargeId } from '@/shared/payment/purchaseClaim';
import { Checkout } from '@/features/billing/checkout/components/Checkout';
import { CheckoutSkeleton } from '@/features/billing/checkout/components/CheckoutSkeleton';
import { BookSuccess } from '@/features/billing/checkout/components/Success';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { safeRedirect } from '@/lib/redirect';
import { saveFile } from '@/lib/saveFile';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';

// Loaded when a checkout was submitted.
const CheckoutOutcome = lazy(() => import(/* webpackChunkName: "checkout-outcome" */ '@/features/billing/checkout/components/CheckoutOutcome'));

/** The name of a bought book's file (billing.success-views). */
const FILE_NAME = 'summary.pdf';

export const loader = ({ request, params: { planId = '' } }: LoaderFunctionArgs) => {
  const { searchParams } = new URL(request.url);
  if (searchParams.has('checkout')) return null;
  return settleBeforeFirstRender(
    queryClient.query(checkoutSettingsQuery()),
    queryClient.query(quoteQuery({ planId, quantity: Number.parseInt(searchParams.get('quantity') ?? '', 10) || null, addInfographics: 0 })),
  );
};

/** The cart's options are in the URL's query: the page fetches their quote itself. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) => currentUrl.pathname !== nextUrl.pathname;

/** /payment/{planId}: the checkout (billing.checkout-states). `?checkout=` shows the outcome of one. */
export function Component() {
  const { planId = '' } = useParams();
  return (
    <div className="page checkout-page">
      <CheckoutOf key={planId} planId={planId} />
    </div>
  );
}

function CheckoutOf({ planId }: { planId: string }) {
  useTitle(ROUTES.payment.title);
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));
  const [bought, setBought] = useState<{ file: Blob; title: string } | null>(null);
  const reference = params.get('checkout');
  if (bought) return <BookSuccess planId={planId} title={bought.title} target={target} onSave={() => saveFile(bought.file, FILE_NAME)} />;
  if (reference !== null) {
    return (
      <Suspense fallback={<CheckoutSkeleton />}>
        <CheckoutOutcome key={reference} planId={planId} reference={reference} chargeId={params.get('chargeId') ?? storedChargeId()} target={target} />
      </Suspense>
    );
  }
  return (
    <Checkout
      planId={planId}
      onFile={(file, title) => {
        saveFile(file, FILE_NAME);
        setBought({ file, title });
      }}
    />
  );
}
