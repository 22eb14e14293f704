import { useState } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '@/api/errors';
import { ProviderMark } from '@/shared/session/ProviderMark';
import { beginProviderSignIn, providerName, providers } from '@/shared/session/signInProviders';
import type { Provider } from '@/shared/session/signInProviders';
import { Button } from '@/ui/Button';

interface Props {
  origin: 'login' | 'signup';
  /** Where to go after signing in. */
  target: string | null;
  onProblem: (text: string | null) => void;
}

const VERB = { login: 'Log in', signup: 'Sign up' } as const;

/** A sign-in button for each configured provider. */
export function ProviderButtons({ origin, target, onProblem }: Props) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState<Provider | null>(null);

  const leave = async (provider: Provider) => {
    setBusy(provider);
    onProblem(null);
    try {
      await navigate(await beginProviderSignIn(provider, origin, target));
    } catch (error) {
      onProblem(messageOf(error));
    } finally {
      setBusy(null);
    }
  };

  return providers().map((provider) => (
    <Button key={provider} wide busy={busy === provider} busyText={`Going to ${providerName(provider)}`} onClick={() => void leave(provider)}>
      <ProviderMark provider={provider} />
      {`${VERB[origin]} with ${providerName(provider)}`}
    </Button>
  ));
}
