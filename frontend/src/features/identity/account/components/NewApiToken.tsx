import { useId, useRef, useState } from 'react';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { SCOPES, cacheApiTokens } from '@/features/identity/account/apiTokens';
import { SettingError } from '@/shared/account/Setting';
import { CopyField } from '@/shared/referral/CopyField';
import { useFreshProof } from '@/shared/session/FreshProof';
import { Checkbox } from '@/ui/Check';
import { TextField } from '@/ui/Field';
import { SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

/** Creates a token, whose text is shown once (identity.api-tokens). */
export function NewApiToken() {
  const place = useRef<HTMLFormElement>(null);
  const [created, setCreated] = useState<{ name: string; text: string } | null>(null);
  const { withProof, dialog } = useFreshProof();
  const errorId = useId();
  const form = useForm({
    scroll: false,
    required: { name: 'A name is missing.' },
    submit: async (typed) => {
      const name = text(typed, 'name').trim();
      const scopes = typed.getAll('scopes').map(String);
      // The server's message.
      if (scopes.length === 0) throw new ApiError({ status: 0, code: 'validation_failed', message: 'Please choose what the token may do.', field: 'scopes' });
      const made = await withProof(() => call('POST /api/user/tokens', { body: { name, scopes } }));
      cacheApiTokens((tokens) => [made.token, ...tokens]);
      setCreated({ name: made.token.name, text: made.text });
      place.current?.reset();
    },
  });
  const scopeError = form.wrong('scopes');
  return (
    <>
      {created ? (
        <div className="api-tokens__created" role="status">
          <p className="setting__label">{`The token “${created.name}”`}</p>
          <CopyField label="Token" text={created.text} copied="Token copied." />
          <p className="setting__note">Copy it now. You will not see it again.</p>
        </div>
      ) : null}
      <form className="form api-tokens__form" ref={place} {...form.props}>
        <SettingError form={form} />
        <TextField
          label="Name"
          name="name"
          maxLength={60}
          autoComplete="off"
          required
          hint="So you can recognize it in your list."
          error={form.wrong('name')}
        />
        <fieldset className="radio-list" {...(scopeError !== null && { 'aria-describedby': errorId })}>
          <legend className="radio-list__legend">What it may do</legend>
          {SCOPES.map(({ value, label }) => (
            <div key={value}>
              <Checkbox label={label} name="scopes" value={value} defaultChecked={value === 'study:read'} />
            </div>
          ))}
          {scopeError === null ? null : (
            <p className="field__error" id={errorId}>
              {scopeError}
            </p>
          )}
        </fieldset>
        <SubmitButton form={form} busyText="Creating">
          Create token
        </SubmitButton>
      </form>
      {dialog}
    </>
  );
}
