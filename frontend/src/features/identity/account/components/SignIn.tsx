import { Suspense, lazy, useState } from 'react';
import { Link } from 'react-router';
import { call } from '@/api/client';
import type { User } from '@/api/types';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { Passkeys } from '@/features/identity/account/components/Passkeys';
import { Providers } from '@/features/identity/account/components/Providers';
import { Row, Setting, SettingForm } from '@/shared/account/Setting';
import { invalidateDevices, invalidateSecurity } from '@/features/identity/account/queries';
import type { Security } from '@/shared/session/security';
import { chunkLoadError } from '@/ui/ChunkLoadError';
import { plural } from '@/lib/format';
import { loginAgainFor, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { PasswordField } from '@/ui/Field';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

const SecondFactorSteps = lazy(() =>
  import(/* webpackChunkName: "account-second-factor" */ '@/features/identity/account/components/SecondFactorSteps').catch(chunkLoadError),
);

/** Sign-in and security: password, second factor, passkeys, providers, devices. */
export function SignIn({ user, security }: { user: User | undefined; security: Security }) {
  return (
    <>
      {security.secondFactor.required && !security.secondFactor.strong ? (
        <SecondFactorRequired totp={security.secondFactor.totp || security.passkeys.length > 0} />
      ) : null}
      <Setting
        label="Password"
        action={security.hasPassword ? 'Change' : 'Set a password'}
        {...(security.hasPassword && { of: 'your password' })}
        form={(close) => <PasswordForm email={user?.email ?? ''} hasPassword={security.hasPassword} close={close} />}
      >
        <p className="setting__note">{security.hasPassword ? 'A new one logs out all your other devices.' : 'You have no password: you log in another way.'}</p>
      </Setting>
      <SecondFactor security={security} />
      <Passkeys passkeys={security.passkeys} available={security.passkeysAvailable} />
      <Providers providers={security.providers} />
    </>
  );
}

/** Editors and admins need a second factor for the back office. */
function SecondFactorRequired({ totp }: { totp: boolean }) {
  return (
    <div className="account__alert">
      <Alert kind="warning">
        {totp ? (
          <>
            The back office opens once you have logged in with your second factor or a passkey. <Link to={loginAgainFor(paths.account)}>Log in again</Link>
          </>
        ) : (
          'The back office opens once you have a second factor or a passkey. Please set one up here.'
        )}
      </Alert>
    </div>
  );
}

function PasswordForm({ email, hasPassword, close }: { email: string; hasPassword: boolean; close: () => void }) {
  const form = useForm({
    scroll: false,
    required: {
      ...(hasPassword && { currentPassword: 'Your current password is missing.' }),
      password1: 'The new password is missing.',
      password2: 'Please enter the new password again.',
    },
    submit: async (typed) => {
      await call('PUT /api/user/password', {
        body: {
          ...(hasPassword && { currentPassword: text(typed, 'currentPassword') }),
          password1: text(typed, 'password1'),
          password2: text(typed, 'password2'),
        },
      });
      await Promise.all([invalidateSecurity(), invalidateDevices()]);
      close();
      toast('Your password was changed. All your other devices were logged out.');
    },
  });
  return (
    <SettingForm form={form} save={hasPassword ? 'Change password' : 'Set password'} onCancel={close}>
      {/* Tells password managers whose password this is. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      {hasPassword ? (
        <PasswordField label="Current password" name="currentPassword" autoComplete="current-password" required error={form.wrong('currentPassword')} />
      ) : null}
      <PasswordField label="New Password" name="password1" autoComplete="new-password" required hint="8 characters or more." error={form.wrong('password1')} />
      <PasswordField label="Confirm New Password" name="password2" autoComplete="new-password" required error={form.wrong('password2')} />
    </SettingForm>
  );
}

export type SecondFactorTask = 'setUp' | 'newCodes' | 'turnOff';

const TITLES: Record<SecondFactorTask, string> = {
  setUp: 'Set up a second factor',
  newCodes: 'New recovery codes',
  turnOff: 'Turn off the second factor',
};

/** A warning is shown below this many recovery codes. */
const FEW = 3;

function SecondFactor({ security: { secondFactor, hasPassword } }: { security: Security }) {
  const [task, setTask] = useState<SecondFactorTask | null>(null);
  // While codes are shown, a press outside must not close the dialog.
  const [firm, setFirm] = useState(false);
  const { totp, recoveryCodesLeft } = secondFactor;
  const close = () => {
    setTask(null);
    setFirm(false);
  };
  return (
    <>
      <Row
        label="Second factor"
        mark={totp ? <span className="badge badge--free">On</span> : null}
        actions={
          <>
            {/* One button whose text changes, so that the dialog can return the focus to it. */}
            <Button
              kind="quiet"
              aria-label={totp ? 'Turn off the second factor' : 'Set up the second factor'}
              onClick={() => setTask(totp ? 'turnOff' : 'setUp')}
            >
              {totp ? 'Turn off' : 'Set up'}
            </Button>
            {totp ? (
              <Button kind="quiet" onClick={() => setTask('newCodes')}>
                New recovery codes
              </Button>
            ) : null}
          </>
        }
      >
        <p className="setting__note">
          {totp
            ? `An app on your phone shows a code each time you log in. ${plural(recoveryCodesLeft, 'recovery code')} left.`
            : 'An app on your phone shows a code that you enter after your password.'}
        </p>
        {totp && recoveryCodesLeft < FEW ? <p className="setting__note setting__note--warn">Create new recovery codes before they run out.</p> : null}
      </Row>
      <Dialog open={task !== null} title={task ? TITLES[task] : ''} onClose={close} firm={firm}>
        {task ? (
          <Suspense fallback={<DialogSkeleton />}>
            <SecondFactorSteps task={task} hasPassword={hasPassword} required={secondFactor.required} onCodes={() => setFirm(true)} onDone={close} />
          </Suspense>
        ) : null}
      </Dialog>
    </>
  );
}
