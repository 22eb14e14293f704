import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { cachePlan, chargeText } from '@/shared/payment/billing';
import type { MemberPlan } from '@/shared/payment/billing';
import { checkoutSettingsQuery } from '@/shared/payment/checkout';
import type { CheckoutSettings } from '@/shared/payment/checkout';
import { SandboxCard } from '@/shared/payment/SandboxCard';
import { SandboxNotice } from '@/shared/payment/SandboxNotice';
import { StripeCard } from '@/shared/payment/StripeCard';
import { INVALID_CARD, sandboxToken } from '@/shared/payment/sandboxCard';
import { useAuthentication } from '@/shared/payment/useAuthentication';
import { formatMoney } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { SkeletonText } from '@/ui/Skeleton';
import { toast } from '@/ui/toast';
import { useForm } from '@/ui/useForm';

interface Props {
  plan: MemberPlan;
  onClose: () => void;
}

/** Stores another card for future charges. After a failed payment the charge is retried with it. */
export default function ChangeMethod({ plan, onClose }: Props) {
  const { data, error, refetch } = useQuery(checkoutSettingsQuery());
  if (data) return <MethodForm plan={plan} settings={data} onClose={onClose} />;
  if (error) {
    return (
      <div className="account__failed">
        <Alert kind="warning">{messageOf(error)}</Alert>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    );
  }
  return (
    <div role="status">
      <span className="visually-hidden">Loading the card form</span>
      <SkeletonText width={90} />
      <SkeletonText width={60} />
    </div>
  );
}

/** Nothing is charged when a card is stored. */
const STORED_ONLY = { dueNow: 0, renewal: null };

function MethodForm({ plan, settings, onClose }: Props & { settings: CheckoutSettings }) {
  const place = useRef<HTMLFormElement>(null);
  const makeToken = useRef<(() => Promise<string>) | null>(null);
  const onTokenMaker = useCallback((make: (() => Promise<string>) | null) => {
    makeToken.current = make;
  }, []);
  const { authenticate, dialog } = useAuthentication(settings);
  const isRepair = plan.state === 'past_due';
  const form = useForm({
    scroll: false,
    submit: async (data) => {
      const card = settings.provider === 'stripe' ? await makeToken.current?.() : sandboxToken(data);
      if (card === undefined) throw new ApiError({ status: 422, code: 'validation', message: INVALID_CARD });
      const answer = await call('POST /api/charge/method', { body: { token: card } });
      if (answer.requiresAction && answer.clientSecret !== null) {
        await authenticate(answer.clientSecret);
        if (answer.checkout !== null) await call('POST /api/charge/confirm', { body: { checkout: answer.checkout } });
      }
      await cachePlan(answer.plan);
      onClose();
      toast('Your payment method was changed.');
    },
  });
  return (
    <>
      <form className="form" ref={place} {...form.props}>
        {settings.sandbox ? <SandboxNotice /> : null}
        <p>
          {isRepair
            ? `We will try ${plan.nextCharge ? formatMoney(plan.nextCharge.amount) : 'the charge'} again with it right away.`
            : plan.nextCharge
              ? `Nothing is charged now. We will use it for the next charge, ${chargeText(plan.nextCharge)}.`
              : 'Nothing is charged now.'}
        </p>
        <FormAlert form={form} />
        {settings.provider === 'stripe' ? (
          <StripeCard
            publicKey={settings.publicKey ?? ''}
            quote={STORED_ONLY}
            onTokenMaker={onTokenMaker}
            onWalletPress={() => true}
            onWallet={() => place.current && form.send(place.current)}
          />
        ) : (
          <SandboxCard form={form} />
        )}
        <div className="setting__buttons">
          <SubmitButton form={form} busyText="One moment">
            {isRepair ? 'Save and pay' : 'Save'}
          </SubmitButton>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
      {dialog}
    </>
  );
}
