import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import type { SignedIn } from '@/api/types';
import { PasskeyRefused, askPasskey, supportsPasskeyAutofill, supportsPasskeys } from '@/shared/session/webauthn';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

interface Props {
  completeSignIn: (signIn: () => Promise<SignedIn>) => Promise<void>;
  onProblem: (text: string | null) => void;
}

/** Requests a passkey; returns the call that signs in with the chosen one. */
async function choose(how: { conditional: boolean; signal?: AbortSignal }): Promise<() => Promise<SignedIn>> {
  const { ceremony, options } = await call('POST /api/user/passkey-login/options', how.signal && { signal: how.signal });
  // An object created by the browser, whose keys the API's description does not define.
  const credential = (await askPasskey(options, how)) as Record<string, never>;
  return () => call('POST /api/user/passkey-login', { body: { ceremony, credential } });
}

/**
 * Logs in with a passkey: by the button, or if the browser supports it from the e-mail field's autofill list, which
 * is prepared while the page is open. Renders nothing in browsers without passkeys.
 */
export function PasskeyButton({ completeSignIn, onProblem }: Props) {
  const [busy, setBusy] = useState(false);
  // The browser handles one request at a time: the button's request aborts that of the autofill list.
  const listening = useRef<AbortController | null>(null);
  const enter = useEffectEvent(async (signIn: () => Promise<SignedIn>) => {
    try {
      await completeSignIn(signIn);
    } catch (error) {
      onProblem(messageOf(error));
    }
  });

  useEffect(() => {
    const controller = new AbortController();
    listening.current = controller;
    void (async () => {
      if (!(await supportsPasskeyAutofill()) || controller.signal.aborted) return;
      // The member has not used the autofill list, so its failure is not shown.
      const signIn = await choose({ conditional: true, signal: controller.signal }).catch(() => null);
      if (signIn) await enter(signIn);
    })();
    return () => controller.abort();
  }, []);

  const ask = async () => {
    listening.current?.abort();
    setBusy(true);
    onProblem(null);
    try {
      await completeSignIn(await choose({ conditional: false }));
    } catch (error) {
      onProblem(error instanceof PasskeyRefused ? error.message : messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  if (!supportsPasskeys()) return null;
  return (
    <Button wide busy={busy} busyText="Waiting for your passkey" onClick={() => void ask()}>
      <Icon name="key" />
      Log in with a passkey
    </Button>
  );
}
