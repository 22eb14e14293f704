import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import type { SignedIn } from '@/api/types';
import { PasskeyRefused, askPasskey, passkeysFillIn, passkeysWork } from '@/domain/webauthn';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

interface Props {
  /** Does the rest of a sign-in. */
  arrive: (signIn: () => Promise<SignedIn>) => Promise<void>;
  onProblem: (text: string | null) => void;
}

/** Asks for a passkey; answers the call that signs in with the one that was chosen. */
async function choose(how: { conditional: boolean; signal?: AbortSignal }): Promise<() => Promise<SignedIn>> {
  const { ceremony, options } = await call('POST /api/user/passkey-login/options', how.signal && { signal: how.signal });
  // An object of the browser's, whose keys the description does not name.
  const credential = (await askPasskey(options, how)) as Record<string, never>;
  return () => call('POST /api/user/passkey-login', { body: { ceremony, credential } });
}

/**
 * Logs in with a passkey: by its button, or (where the browser can) out of the list that the e-mail field opens, which
 * is prepared while the page stands. Nothing where the browser has no passkeys.
 */
export function PasskeyButton({ arrive, onProblem }: Props) {
  const [busy, setBusy] = useState(false);
  // The browser answers one question at a time: the list's gives way to the button's.
  const listening = useRef<AbortController | null>(null);
  const enter = useEffectEvent(async (signIn: () => Promise<SignedIn>) => {
    try {
      await arrive(signIn);
    } catch (error) {
      onProblem(messageOf(error));
    }
  });

  useEffect(() => {
    const controller = new AbortController();
    listening.current = controller;
    void (async () => {
      if (!(await passkeysFillIn()) || controller.signal.aborted) return;
      // Nobody asked for it yet: that the list has no passkeys is not worth a word.
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
      await arrive(await choose({ conditional: false }));
    } catch (error) {
      onProblem(error instanceof PasskeyRefused ? error.message : messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  if (!passkeysWork()) return null;
  return (
    <Button wide busy={busy} busyText="Waiting for your passkey" onClick={() => void ask()}>
      <Icon name="key" />
      Log in with a passkey
    </Button>
  );
}
