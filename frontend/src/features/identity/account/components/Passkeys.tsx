import { useMutation } from '@tanstack/react-query';
import { Suspense, lazy, useRef, useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { supportsPasskeys } from '@/shared/session/webauthn';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { useFreshProof } from '@/shared/session/FreshProof';
import { Row, SettingForm } from '@/shared/account/Setting';
import { updateSecurityOptimistically, invalidateSecurity } from '@/features/identity/account/queries';
import type { Passkey } from '@/features/identity/account/queries';
import { chunkLoadError } from '@/ui/ChunkLoadError';
import { formatAgo } from '@/lib/ago';
import { formatDay } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

const AddPasskey = lazy(() => import(/* webpackChunkName: "account-passkey" */ '@/features/identity/account/components/AddPasskey').catch(chunkLoadError));

export function Passkeys({ passkeys, available }: { passkeys: readonly Passkey[]; available: boolean }) {
  const [adding, setAdding] = useState(false);
  const add = useRef<HTMLDivElement>(null);
  const [now] = useState(() => Date.now());
  // Hidden where the site can't offer passkeys (no HTTPS).
  if (!available && passkeys.length === 0) return null;
  const can = available && supportsPasskeys();
  return (
    <>
      <Row
        label="Passkeys"
        actions={
          can ? (
            <div ref={add}>
              <Button kind="quiet" onClick={() => setAdding(true)}>
                Add a passkey
              </Button>
            </div>
          ) : null
        }
      >
        <p className="setting__note">
          {can
            ? 'Log in with your fingerprint, your face or a security key, without a password.'
            : 'Passkeys can’t be created here. The ones you have work where you created them.'}
        </p>
      </Row>
      {passkeys.length > 0 ? (
        <ul className="account__list" aria-label="Your passkeys">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} now={now} onGone={() => add.current?.querySelector('button')?.focus()} />
          ))}
        </ul>
      ) : null}
      <Dialog open={adding} title="Add a passkey" onClose={() => setAdding(false)}>
        <Suspense fallback={<DialogSkeleton />}>
          <AddPasskey onDone={() => setAdding(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}

function PasskeyItem({ passkey, now, onGone }: { passkey: Passkey; now: number; onGone: () => void }) {
  const [renaming, setRenaming] = useState(false);
  const [removing, setRemoving] = useState(false);
  const actions = useRef<HTMLDivElement>(null);
  const id = String(passkey.id);

  const { withProof, dialog } = useFreshProof();
  const remove = useMutation({
    mutationFn: () => withProof(() => call('DELETE /api/user/passkeys/{id}', { path: { id } })),
    onSuccess: async () => {
      setRemoving(false);
      await invalidateSecurity();
      onGone();
      toast(`The passkey “${passkey.name}” was removed.`);
    },
  });
  const close = () => {
    setRemoving(false);
    remove.reset();
  };

  if (renaming) {
    return (
      <li className="account__entry">
        <RenameForm
          passkey={passkey}
          close={() => {
            setRenaming(false);
            requestAnimationFrame(() => actions.current?.querySelector('button')?.focus());
          }}
        />
      </li>
    );
  }
  return (
    <li className="account__entry">
      <Icon name="key" />
      <div className="account__entry-text">
        <p className="account__entry-name">{passkey.name}</p>
        <p className="setting__note">
          {`Added ${formatDay(passkey.createdAt)}. ${passkey.lastUsedAt === null ? 'Not used yet.' : `Last used ${formatAgo(passkey.lastUsedAt, now)}.`}`}
        </p>
      </div>
      <div className="account__entry-actions" ref={actions}>
        <Button kind="quiet" aria-label={`Rename ${passkey.name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Button kind="quiet" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <Dialog open={removing} title={`Remove “${passkey.name}”?`} onClose={close}>
        <div className="form">
          <p>You will no longer be able to log in with it. It stays on your device or security key until you delete it there too.</p>
          {remove.isError ? <Alert kind="warning">{messageOf(remove.error)}</Alert> : null}
          <div className="setting__buttons">
            <Button kind="harm" busy={remove.isPending} busyText="Removing" onClick={() => remove.mutate()}>
              Remove
            </Button>
            <Button kind="quiet" onClick={close}>
              Keep it
            </Button>
          </div>
        </div>
        {dialog}
      </Dialog>
    </li>
  );
}

function RenameForm({ passkey, close }: { passkey: Passkey; close: () => void }) {
  const form = useForm({
    scroll: false,
    required: { name: 'A name is missing.' },
    submit: async (typed) => {
      const name = text(typed, 'name').trim();
      const takeBack = await updateSecurityOptimistically((now) => ({
        ...now,
        passkeys: now.passkeys.map((one) => (one.id === passkey.id ? { ...one, name } : one)),
      }));
      try {
        await call('PUT /api/user/passkeys/{id}', { path: { id: String(passkey.id) }, body: { name } });
      } catch (error) {
        takeBack();
        throw error;
      }
      close();
      toast('The name is saved.');
    },
  });
  return (
    <SettingForm form={form} save="Save" onCancel={close}>
      <TextField
        label="Name of the passkey"
        name="name"
        defaultValue={passkey.name}
        maxLength={60}
        autoComplete="off"
        // eslint-disable-next-line jsx-a11y/no-autofocus -- Rename was just pressed.
        autoFocus
        required
        error={form.wrong('name')}
      />
    </SettingForm>
  );
}
