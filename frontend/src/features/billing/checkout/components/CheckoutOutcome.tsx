import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isNotFound, messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { checkoutSettingsQuery } from '@/shared/payment/checkout';
import { storeChargeId } from '@/shared/payment/purchaseClaim';
import { Success, BookSuccess } from '@/features/billing/checkout/components/Success';
import { completeAuthentication } from '@/features/billing/checkout/payment';
import type { ChargeResult } from '@/features/billing/checkout/payment';
import { checkoutQuery } from '@/features/billing/checkout/queries';
import { useAuthentication } from '@/shared/payment/useAuthentication';
import { saveFile } from '@/lib/saveFile';
import { loginFor, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

interface Props {
  planId: string;
  reference: string;
  /** The claim token that authorizes a guest. */
  chargeId: string | null;
  target: string | null;
}

/** A submitted checkout: paid, pending, declined, or abandoned. A mail's link leads here too. */
export default function CheckoutOutcome({ planId, reference, chargeId, target }: Props) {
  const { data: result, error, refetch } = useQuery(checkoutQuery(reference, chargeId));
  if (result) {
    if (result.status === 'paid') return <Success result={result} target={target} />;
    if (result.status === 'pending') return <Pending result={result} />;
    return <Unfinished planId={planId} result={result} chargeId={chargeId} target={target} />;
  }
  if (isNotFound(error)) {
    return (
      <EmptyState
        level={1}
        title="There is no such payment"
        actions={
          <>
            <LinkButton kind="primary" to={paths.payment(planId)}>
              Go to checkout
            </LinkButton>
            <LinkButton to={loginFor(`${paths.payment(planId)}?checkout=${encodeURIComponent(reference)}`)}>Log in</LinkButton>
          </>
        }
      >
        <p>The link is incomplete, or the payment belongs to an account. If it is yours, log in to see it.</p>
      </EmptyState>
    );
  }
  if (error) return <ErrorState level={1} error={error} onRetry={() => void refetch()} />;
  return (
    <div className="bought" role="status">
      <span className="visually-hidden">Loading your payment</span>
      <SkeletonText width={60} />
      <SkeletonText width={90} />
    </div>
  );
}

/** The provider has not confirmed the payment yet. The page polls until it has. */
function Pending({ result }: { result: ChargeResult }) {
  return (
    <EmptyState level={1} title="Your payment is being confirmed">
      <p role="status">{`${result.planName} is yours as soon as the payment provider confirms it. You can stay here or close the page; the receipt will come by email.`}</p>
    </EmptyState>
  );
}

/** Declined, or abandoned before the bank's authentication. */
function Unfinished({ planId, result, chargeId, target }: { planId: string; result: ChargeResult; chargeId: string | null; target: string | null }) {
  const { data: settings } = useQuery(checkoutSettingsQuery());
  const { authenticate, dialog } = useAuthentication(settings);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(result.error);
  const [saved, setSaved] = useState<(() => void) | null>(null);
  const [declined, setDeclined] = useState(result.status === 'declined');
  const again = `${paths.payment(planId)}${target === null ? '' : `?redirect=${encodeURIComponent(target)}`}`;

  const finish = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const payment = await completeAuthentication({ result }, authenticate);
      if ('file' in payment) {
        const save = () => saveFile(payment.file.blob, 'summary.pdf');
        save();
        setSaved(() => save);
        return;
      }
      if (payment.result.chargeId !== null) storeChargeId(payment.result.chargeId);
      queryClient.setQueryData(checkoutQuery(result.checkout, chargeId).queryKey, payment.result);
    } catch (error) {
      setProblem(messageOf(error));
      setDeclined(true);
    } finally {
      setBusy(false);
    }
  };

  if (saved) return <BookSuccess planId={planId} title={result.planName} target={target} onSave={saved} />;
  return (
    <div className="bought">
      <h1 className="page__title">{declined ? 'The payment did not go through' : 'Your payment is not finished'}</h1>
      {problem === null ? null : <Alert kind="harm">{problem}</Alert>}
      <p className="page__lead">
        {declined
          ? 'Nothing was charged. You can try again, with this card or another.'
          : `Your bank wants to confirm that it is you paying for ${result.planName}. Nothing is charged before that.`}
      </p>
      <div className="bought__actions">
        {declined ? (
          <LinkButton kind="primary" large to={again}>
            Try again
          </LinkButton>
        ) : (
          <Button kind="primary" large busy={busy} busyText="Waiting for your bank" onClick={() => void finish()}>
            Continue to authentication
          </Button>
        )}
      </div>
      {dialog}
    </div>
  );
}
