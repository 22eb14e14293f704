import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { isProvider, beginProviderSignIn, providerName } from '@/shared/session/signInProviders';
import type { Provider } from '@/shared/session/signInProviders';
import { useFreshProof } from '@/shared/session/FreshProof';
import { Row } from '@/shared/account/Setting';
import { invalidateSecurity } from '@/features/identity/account/queries';
import type { Security } from '@/shared/session/security';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

/** The connected sign-in providers. Renders nothing when the site has none configured. */
export function Providers({ providers }: { providers: Security['providers'] }) {
  return providers.map(({ name, connected, email }) => (isProvider(name) ? <ProviderRow key={name} name={name} connected={connected} email={email} /> : null));
}

function ProviderRow({ name, connected, email }: { name: Provider; connected: boolean; email: string | null }) {
  const navigate = useNavigate();
  const label = providerName(name);
  const [leaving, setLeaving] = useState(false);

  const { withProof, dialog } = useFreshProof();
  const connect = useMutation({
    mutationFn: () => withProof(() => beginProviderSignIn(name, 'account', `${paths.account}?connected=${name}`)),
    onSuccess: async (target) => {
      setLeaving(true);
      await navigate(target);
    },
  });
  const disconnect = useMutation({
    mutationFn: () => call('DELETE /api/user/providers/{name}', { path: { name } }),
    onSuccess: async () => {
      await invalidateSecurity();
      toast(`${label} is disconnected.`);
    },
  });
  const act = connected ? disconnect : connect;
  const busy = connect.isPending || disconnect.isPending || leaving;
  return (
    <Row
      label={label}
      mark={connected ? <span className="badge badge--free">Connected</span> : null}
      actions={
        <Button
          kind="quiet"
          aria-label={busy ? undefined : `${connected ? 'Disconnect' : 'Connect'} ${label}`}
          busy={busy}
          busyText={connected ? 'Disconnecting' : 'Connecting'}
          onClick={() => act.mutate()}
        >
          {connected ? 'Disconnect' : 'Connect'}
        </Button>
      }
    >
      <p className="setting__note">{connected ? (email ?? 'You can log in with it.') : `Log in with your ${label} account.`}</p>
      {act.isError ? (
        <div className="setting__alert">
          <Alert kind="warning">{removalErrorOf(act.error)}</Alert>
        </div>
      ) : null}
      {dialog}
    </Row>
  );
}

/** The last sign-in method can't be removed: explains how to add another one. */
function removalErrorOf(error: unknown): string {
  const lastWay = error instanceof ApiError && error.code === 'last_way_in';
  return lastWay ? 'This is your only way to log in. Please set a password or add a passkey first.' : messageOf(error);
}
