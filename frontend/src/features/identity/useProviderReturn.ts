import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { messageOf } from '@/api/errors';
import { session } from '@/api/session';
import { asksSecondFactor, takeStoredRedirect, tradeArrival } from '@/domain/signIn';
import { finishProvider, providerReturn } from '@/domain/signInProviders';
import type { Provider, ProviderReturn } from '@/domain/signInProviders';
import { contextOf, withContext } from '@/features/identity/context';
import { paths } from '@/paths';

/** Where to go now, or what to say where one is; `factor`: the second step is due. */
type Outcome = { go: string } | { say: string } | { factor: true };

// One exchange for one return, however often React mounts: the code is good for one.
const exchanges = new Map<string, Promise<Outcome>>();

async function exchange(back: ProviderReturn): Promise<Outcome> {
  try {
    const { token, redirect } = await finishProvider(back);
    if (token === null) return { go: takeStoredRedirect() ?? redirect ?? paths.account };
    await tradeArrival(token);
    return { go: takeStoredRedirect() ?? redirect ?? paths.home };
  } catch (error) {
    if (asksSecondFactor(error)) return { factor: true };
    if (session.token() === null) return { say: messageOf(error) };
    // A member who wanted to connect: the account page says what happened.
    takeStoredRedirect();
    return { go: `${paths.account}?${new URLSearchParams({ error: messageOf(error) }).toString()}` };
  }
}

/**
 * A person whom a provider sent back to this page: hands what came along to the server, trades its token in, and goes
 * on (member.md §4). The address is cleaned at once. Answers who sent the person while that lasts, and what went wrong.
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
