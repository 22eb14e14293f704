import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { CheckoutSettings, Quote } from '@/shared/payment/checkout';
import { SandboxNotice } from '@/shared/payment/SandboxNotice';
import { useAuthentication } from '@/shared/payment/useAuthentication';
import { PriceNotice } from '@/features/billing/checkout/components/PriceNotice';
import { SuccessFrame } from '@/features/billing/checkout/components/Success';
import { Totals } from '@/features/billing/checkout/components/Totals';
import { chargeTerms, isSwitchedLater, payLabel } from '@/features/billing/checkout/terms';
import { formatDay, formatMoney } from '@/lib/format';
import { safeRedirect } from '@/lib/redirect';
import { scrollToTop } from '@/lib/scrollToTop';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { LinkButton } from '@/ui/Button';
import { SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';

const PRICE_CHANGED = 'The price has changed. Please check it before you pay.';

interface Props {
  settings: CheckoutSettings;
  quote: Quote & { switch: NonNullable<Quote['switch']> };
  /** Whether the quote is being refetched. */
  refreshing: boolean;
  /** Called when the displayed price is outdated. */
  onStale: () => void;
}

/** Buying another plan while one is active: switches to it, with the stored payment method, after showing the cost (billing.one-subscription). */
export default function SwitchCheckout({ settings, quote, refreshing, onStale }: Props) {
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));
  // One key per page visit: pressing twice charges once (billing.idempotency-key).
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID());
  const [done, setDone] = useState(false);
  const [priceChange, setPriceChange] = useState<string | null>(null);
  const { authenticate, dialog } = useAuthentication(settings);
  const { planId, planName, switch: change } = quote;
  /** Shows the new price with its reason as the next step. */
  const takePriceChange = (reason: string) => {
    setPriceChange(reason);
    onStale();
    scrollToTop();
  };
  const form = useForm({
    submit: async () => {
      setPriceChange(null);
      const preview = await call('POST /api/charge/switch/preview', { body: { planId } });
      if (preview.switch.chargedNow !== change.chargedNow) {
        takePriceChange(PRICE_CHANGED);
        return;
      }
      try {
        const { requiresAction, clientSecret, checkout } = await call('POST /api/charge/switch', { body: { planId, token: preview.token }, idempotencyKey });
        if (requiresAction && clientSecret !== null) {
          await authenticate(clientSecret);
          if (checkout !== null) await call('POST /api/charge/confirm', { body: { checkout } });
        }
      } catch (error) {
        // Declined: the next press is a new attempt. With an unknown outcome it repeats the same one.
        if (error instanceof ApiError && error.status > 0 && error.status < 500) setKey(crypto.randomUUID());
        if (error instanceof ApiError && error.code === 'price_changed') {
          takePriceChange(error.message);
          return;
        }
        throw error;
      }
      setDone(true);
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'quote' });
    },
  });
  if (done) {
    return (
      <SuccessFrame
        title={isSwitchedLater(quote) ? `${planName} is on its way` : `Your plan is now ${planName}`}
        text={
          <p>
            {isSwitchedLater(quote) ? `It begins on ${formatDay(change.startsAt)}, when your ${change.fromPlanName} period ends. ` : ''}
            {`The next charge is ${formatMoney(change.nextCharge)} on ${formatDay(change.nextChargeAt)}.`}
          </p>
        }
        actions={
          <>
            <LinkButton kind="primary" large to={target ?? paths.books}>
              {target === null ? 'Browse book summaries' : 'Go back to where you were'}
            </LinkButton>
            <LinkButton kind="quiet" large to={paths.account}>
              Your account
            </LinkButton>
          </>
        }
      />
    );
  }
  return (
    <>
      <h1 className="page__title checkout__title">{`Switch to ${planName}`}</h1>
      {settings.sandbox ? <SandboxNotice /> : null}
      <div className="checkout__alerts">
        {form.error ? (
          <Alert kind="harm">{form.error.message}</Alert>
        ) : priceChange !== null ? (
          <PriceNotice reason={priceChange} quote={refreshing ? null : quote} />
        ) : null}
      </div>
      <form className="checkout__switch" {...form.props}>
        <Totals quote={quote} plans={settings.plans} updating={priceChange !== null && refreshing} />
        <ul className="checkout__terms">
          {chargeTerms(quote).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          <li>
            {'Your current plan’s payment method will be charged. To use another card, change it on '}
            <Link className="link" to={paths.account}>
              your account page
            </Link>
            {' first.'}
          </li>
        </ul>
        <div className="bought__actions">
          <SubmitButton form={form} large busyText="Switching">
            {payLabel(quote, 0)}
          </SubmitButton>
          <LinkButton kind="quiet" large to={target ?? paths.account}>
            {`Stay with ${change.fromPlanName}`}
          </LinkButton>
        </div>
      </form>
      {dialog}
    </>
  );
}
