import '@/shared/payment/payment.css';
import { useEffect, useRef, useState } from 'react';
import type { Quote } from '@/shared/payment/checkout';
import { elementsOptions, loadStripe, stripeToken } from '@/shared/payment/stripe';
import type { Stripe, StripeElement, StripeElements } from '@/shared/payment/stripe';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';

interface Props {
  publicKey: string;
  /** What is charged today; when nothing is due, the card is only stored. */
  quote: Pick<Quote, 'dueNow' | 'renewal'>;
  /** Receives the function that turns the typed card into a token; null on unmount. */
  onTokenMaker: (make: (() => Promise<string>) | null) => void;
  /** Called when a wallet's button is pressed. Returns whether its sheet may open; if not, shows what is missing. */
  onWalletPress: () => boolean;
  /** Called when the payer has confirmed in a wallet: the order is paid with the token that the form creates now. */
  onWallet: () => void;
}

/** Custom properties can't be read across the frame, so their current values are passed to Stripe's form. */
function appearance() {
  const style = getComputedStyle(document.documentElement);
  const resolve = (name: string) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return {
    theme: document.body.classList.contains('dark') ? 'night' : 'stripe',
    variables: {
      colorPrimary: resolve('--tangerine-ink'),
      colorBackground: resolve('--paper-raised'),
      colorText: resolve('--ink'),
      colorDanger: resolve('--harm-ink'),
      fontFamily: style.getPropertyValue('--sans') || 'sans-serif',
      borderRadius: '10px',
    },
  } as const;
}

/** Stripe's form: wallets first if the browser has them, then the card. It follows the amount of the quote. */
export function StripeCard({ publicKey, quote, onTokenMaker, onWalletPress, onWallet }: Props) {
  const wallets = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const made = useRef<{ stripe: Stripe; elements: StripeElements } | null>(null);
  const latest = useRef({ quote, onTokenMaker, onWalletPress, onWallet });
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    latest.current = { quote, onTokenMaker, onWalletPress, onWallet };
    made.current?.elements.update(elementsOptions(quote));
  }, [quote, onTokenMaker, onWalletPress, onWallet]);

  useEffect(() => {
    let here = true;
    const mounted: StripeElement[] = [];
    const mount = async () => {
      const stripe = await loadStripe(publicKey);
      if (!here || !wallets.current || !card.current) return;
      const elements = stripe.elements({ ...elementsOptions(latest.current.quote), appearance: appearance() });
      made.current = { stripe, elements };
      latest.current.onTokenMaker(() => stripeToken(stripe, elements, window.location.href));
      const express = elements.create('expressCheckout');
      const payment = elements.create('payment', { layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never' } });
      mounted.push(express, payment);
      express.on('click', (press) => {
        if (latest.current.onWalletPress()) press.resolve();
        else press.reject();
      });
      express.on('confirm', () => latest.current.onWallet());
      payment.on('ready', () => setState('ready'));
      payment.on('loaderror', () => setState('failed'));
      express.mount(wallets.current);
      payment.mount(card.current);
    };
    mount().catch(() => {
      if (here) setState('failed');
    });
    return () => {
      here = false;
      made.current = null;
      latest.current.onTokenMaker(null);
      for (const element of mounted) element.destroy();
    };
  }, [publicKey, attempt]);

  return (
    <div className="provider-form" aria-busy={state === 'loading'}>
      {state === 'failed' ? (
        <Alert kind="warning">
          <p>The payment form could not be loaded. A blocker in your browser may stop it.</p>
          <p>
            <Button
              onClick={() => {
                setState('loading');
                setAttempt((n) => n + 1);
              }}
            >
              Try again
            </Button>
          </p>
        </Alert>
      ) : null}
      <div ref={wallets} />
      <div ref={card} className="provider-form__card" />
      {state === 'loading' ? (
        <div role="status">
          <span className="visually-hidden">Loading the card form</span>
          <SkeletonText width={90} />
          <SkeletonText width={60} />
        </div>
      ) : null}
    </div>
  );
}
