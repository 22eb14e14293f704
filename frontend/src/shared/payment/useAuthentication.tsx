import '@/shared/payment/payment.css';
import { useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import { call } from '@/api/client';
import type { CheckoutSettings } from '@/shared/payment/checkout';
import { loadStripe } from '@/shared/payment/stripe';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

/** Lets the payer authenticate at the bank. Resolves when they are done, whatever the outcome, which the server finds out. */
export type Authenticate = (clientSecret: string) => Promise<void>;

interface Asked {
  clientSecret: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * The bank's authentication (3-D Secure): Stripe shows the bank's page; the sandbox shows its own dialog, which the caller must
 * render.
 */
export function useAuthentication(settings: CheckoutSettings | undefined): { authenticate: Authenticate; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const provider = settings?.provider;
  const publicKey = settings?.publicKey;

  const authenticate = useCallback<Authenticate>(
    async (clientSecret) => {
      if (provider !== 'stripe') {
        await new Promise<void>((resolve, reject) => setAsked({ clientSecret, resolve, reject })).finally(() => setAsked(null));
        return;
      }
      const stripe = await loadStripe(publicKey ?? '');
      // A failed authentication is not an error here: the server asks the provider for the outcome.
      await stripe.handleNextAction({ clientSecret });
    },
    [provider, publicKey],
  );

  const answer = async ({ clientSecret, resolve, reject }: Asked, succeeds: boolean) => {
    try {
      await call('POST /api/charge/sandbox/authenticate', { body: { clientSecret, succeeds } });
      resolve();
    } catch (error) {
      reject(error);
    }
  };
  return { authenticate, dialog: asked ? <SandboxAuthentication key={asked.clientSecret} onAnswer={(succeeds) => answer(asked, succeeds)} /> : null };
}

/** The sandbox's stand-in for the bank's page. */
function SandboxAuthentication({ onAnswer }: { onAnswer: (succeeds: boolean) => Promise<void> }) {
  const [busy, setBusy] = useState<boolean | null>(null);
  const press = (succeeds: boolean) => {
    setBusy(succeeds);
    void onAnswer(succeeds);
  };
  return (
    <Dialog open firm title="Sandbox: your bank wants to confirm" onClose={() => undefined}>
      <p className="authentication__text">With a real card, your bank would now ask you to confirm. This is the sandbox: choose what happens.</p>
      <div className="authentication__actions">
        <Button kind="primary" large wide busy={busy === true} aria-disabled={busy !== null || undefined} onClick={() => press(true)}>
          Complete authentication
        </Button>
        <Button large wide busy={busy === false} aria-disabled={busy !== null || undefined} onClick={() => press(false)}>
          Fail authentication
        </Button>
      </div>
    </Dialog>
  );
}
