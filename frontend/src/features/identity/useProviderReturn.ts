import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { messageOf } from '@/api/errors';
import { session } from '@/api/session';
import { isSecondFactorRequired, takeStoredRedirect, exchangeUrlToken } from '@/shared/session/signIn';
import { exchangeProviderCode, providerReturn } from '@/shared/session/signInProviders';
import type { Provider, ProviderReturn } from '@/shared/session/signInProviders';
import { contextOf, withContext } from '@/shared/session/context';
import { paths } from '@/paths';

/** The path to navigate to, or the error to show; `factor`: a second factor is required. */
type Outcome = { go: string } | { say: string } | { factor: true };

// One exchange per redirect: the code is single-use, and React mounts twice in development.
const exchanges = new Map<string, Promise<Outcome>>();

async function exchange(back: ProviderReturn): Promise<Outcome> {
  try {
    const { token, redirect } = await exchangeProviderCode(back);
    if (token === null) return { go: takeStoredRedirect() ?? redirect ?? paths.account };
    await exchangeUrlToken(token);
    return { go: takeStoredRedirect() ?? redirect ?? paths.home };
  } catch (error) {
    if (isSecondFactorRequired(error)) return { factor: true };
    if (session.token() === null) return { say: messageOf(error) };
    // A provider was connected: the account page shows the outcome.
    takeStoredRedirect();
    return { go: `${paths.account}?${new URLSearchParams({ error: messageOf(error) }).toString()}` };
  }
}

/**
 * Handles a provider's redirect back to this page: sends its parameters to the server, starts the session and navigates to the
 * target (identity.provider-return). Removes the URL's parameters at once. Returns the provider while that runs, and the error.
 */
export function useProviderReturn(onSecondFactor: () => void): { from: Provider | null; problem: string | null } {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [back] = useState(() => providerReturn(new URLSearchParams(search)));
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);

  const clean = useEffectEvent(() => {
    window.history.replaceState(window.history.state, '', withContext(pathname, contextOf(new URLSearchParams(search))));
  });
  const settle = useEffectEvent((outcome: Outcome) => {
    if ('go' in outcome) {
      void navigate(outcome.go, { replace: true });
      return;
    }
    setOver(true);
    if ('say' in outcome) setProblem(outcome.say);
    else onSecondFactor();
  });

  useEffect(() => {
    if (!back) return;
    let here = true;
    const key = JSON.stringify(back);
    const done = exchanges.get(key) ?? exchange(back);
    exchanges.set(key, done);
    clean();
    void done.then((outcome) => {
      if (here) settle(outcome);
    });
    return () => {
      here = false;
    };
  }, [back]);

  return { from: back && !over ? back.provider : null, problem };
}
