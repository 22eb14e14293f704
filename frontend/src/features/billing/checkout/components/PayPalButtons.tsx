import { useEffect, useRef, useState } from 'react';
import { PayPalSkeleton } from '@/features/billing/checkout/components/PayPalSkeleton';
import { loadPayPal } from '@/features/billing/checkout/paypal';
import type { PayPalApproval } from '@/features/billing/checkout/paypal';
import { Alert } from '@/ui/Alert';

interface Props {
  clientId: string;
  /** Whether a subscription is approved, or a single order. */
  subscription: boolean;
  /** Creates the order or the subscription on the server and returns its id; rejects when a field is missing. */
  onCreate: () => Promise<string>;
  onApprove: (approval: PayPalApproval) => Promise<void>;
  onError: (error: unknown) => void;
}

/** PayPal's own buttons. */
export default function PayPalButtons({ clientId, subscription, ...handlers }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(handlers);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');

  useEffect(() => {
    latest.current = handlers;
  });

  useEffect(() => {
    let close: (() => Promise<void>) | null = null;
    let here = true;
    const mount = async () => {
      const paypal = await loadPayPal(clientId, subscription);
      if (!here || !place.current) return;
      const create = () => latest.current.onCreate();
      const buttons = paypal.Buttons({
        ...(subscription ? { createSubscription: create } : { createOrder: create }),
        onApprove: (approval) => latest.current.onApprove(approval),
        onError: (error) => latest.current.onError(error),
        style: { shape: 'rect', height: 48 },
      });
      close = () => buttons.close();
      await buttons.render(place.current);
      setState('ready');
    };
    mount().catch(() => {
      if (here) setState('failed');
    });
    return () => {
      here = false;
      void close?.();
    };
  }, [clientId, subscription]);

  return (
    <div className="provider-form" aria-busy={state === 'loading'}>
      {state === 'failed' ? <Alert kind="warning">PayPal could not be reached. Please pay by card, or reload the page.</Alert> : null}
      <div ref={place} />
      {state === 'loading' ? <PayPalSkeleton /> : null}
    </div>
  );
}
