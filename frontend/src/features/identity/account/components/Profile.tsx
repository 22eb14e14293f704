import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import type { User } from '@/api/types';
import { useResendConfirmation } from '@/shared/session/useResendConfirmation';
import { Section } from '@/shared/account/Section';
import { LinkRow, Setting, SettingForm } from '@/shared/account/Setting';
import { cacheUser, invalidateSecurity } from '@/features/identity/account/queries';
import type { Security } from '@/shared/session/security';
import { ownTimeZone, timeIn, timeZones, findZone, zoneName } from '@/features/identity/account/timeZones';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { EmailField, PasswordField, TextField } from '@/ui/Field';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

interface FormProps {
  user: User;
  close: () => void;
}

/** The member's profile. `security` is undefined while loading. */
export function Profile({ user, security }: { user: User; security: Security | undefined }) {
  // The time does not advance while the page is open; it only helps to recognize the zone.
  const [now] = useState(() => Date.now());
  const time = timeIn(user.timezone, now);
  // A long e-mail address wraps before its domain.
  const at = user.email.lastIndexOf('@');
  const [name, domain] = [user.email.slice(0, at), user.email.slice(at)];
  return (
    <Section id="profile" title="Profile">
      <Setting label="Name" action="Change" of="your name" form={(close) => <NameForm user={user} close={close} />}>
        <p className="setting__value">{`${user.firstName} ${user.lastName}`.trim() || 'Not set'}</p>
      </Setting>
      <Setting
        label="Email"
        action="Change"
        of="your email address"
        form={(close) => <AddressForm user={user} hasPassword={security?.hasPassword ?? true} close={close} />}
      >
        <p className="setting__value">
          {name}
          <wbr />
          {domain}
        </p>
        {security?.pendingEmail ? <PendingEmail email={security.pendingEmail} stays={user.email} /> : null}
        {security && !security.emailConfirmed ? <UnconfirmedEmail /> : null}
      </Setting>
      <Setting id="time-zone" label="Time zone" action="Change" of="your time zone" form={(close) => <TimeZoneForm user={user} close={close} />}>
        <p className="setting__value">{zoneName(user.timezone)}</p>
        {time ? <p className="setting__note tabular">It is {time} there now.</p> : null}
      </Setting>
      <ul className="account__links">
        <LinkRow to={paths.chooseCategories('edit')} label="Preferences" note="The categories your recommendations are based on" />
        <LinkRow to={paths.dailyMail} label="Daily email" note="The book of the day from your ten-day challenge: on or off, and at what time" />
      </ul>
    </Section>
  );
}

const saveProfile = async (body: { firstName: string; lastName: string; timezone: string }) => cacheUser((await call('PUT /api/user/account', { body })).user);

function NameForm({ user, close }: FormProps) {
  const form = useForm({
    scroll: false,
    required: { firstName: 'Your first name is missing.', lastName: 'Your last name is missing.' },
    submit: async (typed) => {
      await saveProfile({ firstName: text(typed, 'firstName').trim(), lastName: text(typed, 'lastName').trim(), timezone: user.timezone });
      close();
      toast('Your name is saved.');
    },
  });
  return (
    <SettingForm form={form} save="Save" onCancel={close}>
      <div className="form__pair">
        <TextField label="First name" name="firstName" autoComplete="given-name" defaultValue={user.firstName} required error={form.wrong('firstName')} />
        <TextField label="Last name" name="lastName" autoComplete="family-name" defaultValue={user.lastName} required error={form.wrong('lastName')} />
      </div>
    </SettingForm>
  );
}

function TimeZoneForm({ user, close }: FormProps) {
  const field = useRef<HTMLDivElement>(null);
  const [zones] = useState(timeZones);
  const own = ownTimeZone();
  const form = useForm({
    scroll: false,
    required: { timezone: 'Your time zone is missing.' },
    submit: async (typed) => {
      const timezone = findZone(text(typed, 'timezone'));
      if (timezone === null) {
        throw new ApiError({ status: 0, code: 'validation', message: 'There is no such time zone. Please choose one from the list.', field: 'timezone' });
      }
      await saveProfile({ firstName: user.firstName, lastName: user.lastName, timezone });
      close();
      toast('Your time zone is saved.');
    },
  });
  const choose = (zone: string) => {
    const input = field.current?.querySelector('input');
    if (!input) return;
    input.value = zone;
    input.focus();
  };
  return (
    <SettingForm form={form} save="Save" onCancel={close}>
      <div ref={field}>
        <TextField
          label="Time zone"
          name="timezone"
          list="time-zones"
          autoComplete="off"
          spellCheck={false}
          placeholder="Type a city"
          defaultValue={user.timezone}
          onFocus={(event) => event.target.select()}
          required
          hint="Your streak and your monthly free summary depend on it."
          error={form.wrong('timezone')}
        />
        <datalist id="time-zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      {own && own !== user.timezone ? (
        <p className="setting__offer">
          <Button onClick={() => choose(own)}>Use {zoneName(own)}</Button>
          <span className="setting__note">This device uses this time zone.</span>
        </p>
      ) : null}
    </SettingForm>
  );
}

function AddressForm({ user, hasPassword, close }: FormProps & { hasPassword: boolean }) {
  const form = useForm({
    scroll: false,
    required: { email: 'The new email address is missing.', ...(hasPassword && { currentPassword: 'Your current password is missing.' }) },
    submit: async (typed) => {
      const email = text(typed, 'email').trim();
      await call('PUT /api/user/email', { body: { email, ...(hasPassword && { currentPassword: text(typed, 'currentPassword') }) } });
      await invalidateSecurity();
      close();
      toast(`We sent a link to ${email}. Your address will change once you follow it.`);
    },
  });
  return (
    <SettingForm form={form} save="Send the link" busyText="Sending" onCancel={close}>
      <EmailField
        label="New email address"
        name="email"
        autoComplete="email"
        hint={`We will send a link there. Until you follow it, your address stays ${user.email}.`}
        error={form.wrong('email')}
      />
      {hasPassword ? (
        <PasswordField label="Current password" name="currentPassword" autoComplete="current-password" required error={form.wrong('currentPassword')} />
      ) : null}
    </SettingForm>
  );
}

/** A button within a sentence. */
function InlineButton({ busy, onClick, children }: { busy: boolean; onClick: () => void; children: string }) {
  return (
    <button type="button" className="link setting__inline" aria-disabled={busy || undefined} onClick={() => (busy ? undefined : onClick())}>
      {children}
    </button>
  );
}

/** A change of the e-mail address that is not confirmed yet; it can be cancelled. */
function PendingEmail({ email, stays }: { email: string; stays: string }) {
  const note = useRef<HTMLParagraphElement>(null);
  const keep = useMutation({
    mutationFn: () => call('DELETE /api/user/pending-email'),
    onSuccess: async () => {
      // The button that has the focus is removed with this note.
      note.current?.closest('.setting')?.querySelector<HTMLElement>('.setting__actions button')?.focus();
      await invalidateSecurity();
      toast(`Your address stays ${stays}.`);
    },
    onError: (error) => toast(messageOf(error)),
  });
  return (
    <p className="setting__note" ref={note}>
      Changes to <strong>{email}</strong> once you follow the link we sent there.{' '}
      <InlineButton busy={keep.isPending} onClick={() => keep.mutate()}>
        Keep my address
      </InlineButton>
    </p>
  );
}

/** The e-mail address is not confirmed: explains what that means, and sends the mail again. */
function UnconfirmedEmail() {
  const { busy, said, send } = useResendConfirmation('The email is on its way. Please check your inbox.');
  return (
    <p className="setting__note">
      Not confirmed yet: please follow the link in our email.{' '}
      <InlineButton busy={busy} onClick={send}>
        {busy ? 'Sending' : 'Send it again'}
      </InlineButton>{' '}
      <span role="status">{said}</span>
    </p>
  );
}
