import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call, callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { useFreshProof } from '@/domain/FreshProof';
import { cacheMember } from '@/features/admin/users/queries';
import type { UserDetail } from '@/features/admin/users/queries';
import { formatAgo } from '@/lib/ago';
import { formatDay, plural } from '@/lib/format';
import { saveFile } from '@/lib/saveFile';
import { paths } from '@/features/admin/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextArea } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

/** What an admin may do with an account besides its fields. The heavy ones ask for a proof of who is there. */
export function AccountActions({ user }: { user: UserDetail }) {
  const { withProof, dialog } = useFreshProof();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'suspend' | 'delete' | null>(null);
  const [now] = useState(() => Date.now());
  const path = { userId: String(user.id) };
  const act = useMutation({
    mutationFn: ({ work }: { work: () => Promise<{ user: UserDetail } | null>; done: string }) => withProof(work),
    onSuccess: (answer, { done }) => {
      if (answer) cacheMember(answer.user);
      toast(done);
    },
  });
  const run = (done: string, work: () => Promise<{ user: UserDetail } | null>) => {
    if (!act.isPending) act.mutate({ work, done });
  };

  return (
    <>
      {act.isError ? <Alert kind="warning">{messageOf(act.error)}</Alert> : null}
      <section className="admin__panel" aria-labelledby="access">
        <h2 className="admin__panel-title" id="access">
          Access
        </h2>
        <SelectField
          label="Role"
          value={user.role}
          hint="Another role ends the member’s sessions."
          onChange={({ target }) => run('The role was changed.', () => call('PUT /api/admin/user/{userId}/role', { path, body: { role: target.value } }))}
        >
          <option value="member">Member</option>
          <option value="editor">Editor</option>
          <option value="admin">Admin</option>
        </SelectField>
        {user.suspendedAt === null ? (
          <Button onClick={() => setAsked('suspend')}>Suspend</Button>
        ) : (
          <>
            <Alert kind="warning">{`Suspended on ${formatDay(user.suspendedAt)}: ${user.suspendedReason ?? 'no reason given'}`}</Alert>
            <Button onClick={() => run('The account is open again.', () => call('POST /api/admin/user/{userId}/restore', { path }))}>Restore</Button>
          </>
        )}
      </section>

      <section className="admin__panel" aria-labelledby="sessions">
        <h2 className="admin__panel-title" id="sessions">
          Sessions
        </h2>
        {user.sessions.length === 0 ? <p className="admin__note">Logged in nowhere.</p> : null}
        <ul className="admin__rows">
          {user.sessions.map(({ id, device, place, lastSeenAt }) => (
            <li key={id} className="admin__row">
              <span>
                {device}
                <span className="admin__note">{` ${[place, formatAgo(lastSeenAt, now)].filter(Boolean).join(' · ')}`}</span>
              </span>
              <Button kind="quiet" aria-label={`End the session on ${device}`} onClick={() => run('The session was ended.', () => call('POST /api/admin/user/{userId}/sessions/end', { path, body: { session: id } }))}>
                End
              </Button>
            </li>
          ))}
        </ul>
        {user.sessions.length > 1 ? (
          <Button onClick={() => run('All sessions were ended.', () => call('POST /api/admin/user/{userId}/sessions/end', { path, body: {} }))}>End all sessions</Button>
        ) : null}
      </section>

      <section className="admin__panel" aria-labelledby="factors">
        <h2 className="admin__panel-title" id="factors">
          Sign-in
        </h2>
        <p className="admin__note">
          {[
            user.hasPassword ? 'Password' : null,
            user.factors.totp ? `authenticator app with ${plural(user.factors.recoveryCodes, 'recovery code')}` : null,
            user.factors.passkeys > 0 ? plural(user.factors.passkeys, 'passkey') : null,
            ...user.providers,
          ]
            .filter((way) => way !== null)
            .join(', ') || 'By mail only'}
        </p>
        {user.factors.totp || user.factors.passkeys > 0 ? (
          <Button onClick={() => run('The second factor was reset.', () => call('POST /api/admin/user/{userId}/second-factor/reset', { path }))}>Reset the second factor</Button>
        ) : null}
      </section>

      <section className="admin__panel" aria-labelledby="requests">
        <h2 className="admin__panel-title" id="requests">
          On request
        </h2>
        <div className="admin__buttons">
          <Button
            onClick={() =>
              run('The archive was downloaded.', async () => {
                const { blob, name } = await callFile('POST /api/admin/user/{userId}/export', { path });
                saveFile(blob, name);
                return null;
              })
            }
          >
            Export
          </Button>
          <Button kind="harm" onClick={() => setAsked('delete')}>
            Delete
          </Button>
        </div>
      </section>

      <Dialog open={asked !== null} title={asked === 'delete' ? `Delete ${user.email}?` : `Suspend ${user.email}?`} onClose={() => setAsked(null)}>
        {asked === null ? null : (
          <ReasonForm
            text={
              asked === 'delete'
                ? 'The account and what it holds are removed, as when the member does it. This can’t be undone.'
                : 'The member is signed out everywhere and can’t log in until the account is restored.'
            }
            button={asked === 'delete' ? 'Delete the account' : 'Suspend the account'}
            submit={async (reason) => {
              if (asked === 'delete') {
                await withProof(() => call('POST /api/admin/user/{userId}/delete', { path, body: { reason } }));
                setAsked(null);
                toast('The account was deleted.');
                void navigate(paths.adminUsers);
              } else {
                const answer = await withProof(() => call('POST /api/admin/user/{userId}/suspend', { path, body: { reason } }));
                cacheMember(answer.user);
                setAsked(null);
                toast('The account is suspended.');
              }
            }}
          />
        )}
      </Dialog>
      {dialog}
    </>
  );
}

function ReasonForm({ text: explanation, button, submit }: { text: string; button: string; submit: (reason: string) => Promise<void> }) {
  const form = useForm({
    scroll: false,
    required: { reason: 'Please specify Reason.' },
    submit: (typed) => submit(text(typed, 'reason').trim()),
  });
  return (
    <form className="form" {...form.props}>
      <p>{explanation}</p>
      <FormAlert form={form} />
      <TextArea label="Reason" name="reason" rows={3} required error={form.wrong('reason')} />
      <SubmitButton form={form} kind="harm" busyText="One moment">
        {button}
      </SubmitButton>
    </form>
  );
}
