import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call, callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { useFreshProof } from '@/shared/session/FreshProof';
import { ActionDialog } from '@/features/admin/components/ActionDialog';
import { cacheMember } from '@/features/admin/users/queries';
import type { UserDetail } from '@/features/admin/users/queries';
import { formatAgo } from '@/lib/ago';
import { formatDay, plural } from '@/lib/format';
import { saveFile } from '@/lib/saveFile';
import { paths } from '@/features/admin/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SelectField } from '@/ui/Field';
import { toast } from '@/ui/toast';

const ROLE_NAMES: Readonly<Record<string, string>> = { member: 'Member', editor: 'Editor', admin: 'Admin' };
const ARTICLES: Readonly<Record<string, string>> = { editor: 'an', admin: 'an' };

/** What a role allows, for the confirmation dialog. */
const ROLE_RIGHTS: Readonly<Record<string, string>> = {
  member: 'Members have no access to the back office.',
  editor: 'Editors maintain the catalog and the text on the site.',
  admin: 'Admins can do everything, including members, money and roles.',
};

const nameOf = (role: string) => ROLE_NAMES[role] ?? role;

/** An action that asks for confirmation. */
type Question = { action: 'suspend' | 'delete' } | { action: 'role'; role: string };

/** An admin's actions on an account besides its fields. Critical ones require a proof of identity. */
export function AccountActions({ user }: { user: UserDetail }) {
  const { withProof, dialog } = useFreshProof();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Question | null>(null);
  // The selected role that is not saved yet.
  const [picked, setPicked] = useState<string | null>(null);
  const chosen = picked ?? user.role;
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
        <SelectField label="Role" value={chosen} hint="Changing the role ends the member’s sessions." onChange={({ target }) => setPicked(target.value)}>
          {Object.entries(ROLE_NAMES).map(([role, name]) => (
            <option key={role} value={role}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button aria-disabled={chosen === user.role || undefined} onClick={() => setAsked({ action: 'role', role: chosen })}>
          Change role
        </Button>
        {user.suspendedAt === null ? (
          <Button onClick={() => setAsked({ action: 'suspend' })}>Suspend</Button>
        ) : (
          <>
            <Alert kind="warning">{`Suspended on ${formatDay(user.suspendedAt)}: ${user.suspendedReason ?? 'no reason given'}`}</Alert>
            <Button onClick={() => run('The account is active again.', () => call('POST /api/admin/user/{userId}/restore', { path }))}>Restore</Button>
          </>
        )}
      </section>

      <section className="admin__panel" aria-labelledby="sessions">
        <h2 className="admin__panel-title" id="sessions">
          Sessions
        </h2>
        {user.sessions.length === 0 ? <p className="admin__note">Not logged in anywhere.</p> : null}
        <ul className="admin__rows">
          {user.sessions.map(({ id, device, place, lastSeenAt }) => (
            <li key={id} className="admin__row">
              <span>
                {device}
                <span className="admin__note">{` ${[place, formatAgo(lastSeenAt, now)].filter(Boolean).join(' · ')}`}</span>
              </span>
              <Button
                kind="quiet"
                aria-label={`End the session on ${device}`}
                onClick={() => run('The session was ended.', () => call('POST /api/admin/user/{userId}/sessions/end', { path, body: { session: id } }))}
              >
                End
              </Button>
            </li>
          ))}
        </ul>
        {user.sessions.length > 1 ? (
          <Button onClick={() => run('All sessions were ended.', () => call('POST /api/admin/user/{userId}/sessions/end', { path, body: {} }))}>
            End all sessions
          </Button>
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
            .join(', ') || 'By email only'}
        </p>
        {user.factors.totp || user.factors.passkeys > 0 ? (
          <Button onClick={() => run('The second factor was reset.', () => call('POST /api/admin/user/{userId}/second-factor/reset', { path }))}>
            Reset the second factor
          </Button>
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
          <Button kind="harm" onClick={() => setAsked({ action: 'delete' })}>
            Delete
          </Button>
        </div>
      </section>

      {asked?.action === 'role' ? (
        <ActionDialog
          title={`Make ${user.email} ${ARTICLES[asked.role] ?? 'a'} ${nameOf(asked.role)}?`}
          button="Change the role"
          onClose={() => {
            setAsked(null);
            setPicked(null);
          }}
          submit={async () => {
            const answer = await withProof(() => call('PUT /api/admin/user/{userId}/role', { path, body: { role: asked.role } }));
            cacheMember(answer.user);
            setAsked(null);
            setPicked(null);
            toast(`The role is now ${nameOf(answer.user.role)}.`);
          }}
        >
          <p>{`Now: ${nameOf(user.role)}. ${ROLE_RIGHTS[asked.role] ?? ''} The member is logged out everywhere.`}</p>
        </ActionDialog>
      ) : null}
      {asked?.action === 'suspend' ? (
        <ActionDialog
          title={`Suspend ${user.email}?`}
          button="Suspend the account"
          kind="harm"
          reason
          onClose={() => setAsked(null)}
          submit={async (reason) => {
            const answer = await withProof(() => call('POST /api/admin/user/{userId}/suspend', { path, body: { reason } }));
            cacheMember(answer.user);
            setAsked(null);
            toast(answer.user.suspendedAt === null ? 'The account is active.' : 'The account is suspended.');
          }}
        >
          <p>The member is logged out everywhere and can’t log in until the account is restored.</p>
        </ActionDialog>
      ) : null}
      {asked?.action === 'delete' ? (
        <ActionDialog
          title={`Delete ${user.email}?`}
          button="Delete the account"
          kind="harm"
          reason
          onClose={() => setAsked(null)}
          submit={async (reason) => {
            await withProof(() => call('POST /api/admin/user/{userId}/delete', { path, body: { reason } }));
            setAsked(null);
            toast('The account was deleted.');
            void navigate(paths.adminUsers);
          }}
        >
          <p>The account and everything in it are removed, just as when the member deletes it. This can’t be undone.</p>
        </ActionDialog>
      ) : null}
      {dialog}
    </>
  );
}
