import { useId, useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null;
}

type InputProps = FieldProps & Omit<ComponentProps<'input'>, 'id'>;

function describe(id: string, hint: ReactNode, error: string | null | undefined) {
  const ids = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ');
  return { ...(ids && { 'aria-describedby': ids }), ...(error && { 'aria-invalid': true }) } as const;
}

/** A label, a control, its hint and its error. */
function Field({ id, label, hint, error, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {children}
      {hint ? (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

export function TextField({ label, hint, error, className, ...rest }: InputProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <input {...rest} {...describe(id, hint, error)} id={id} className={['input', className].filter(Boolean).join(' ')} />
    </Field>
  );
}

/** A required e-mail address. */
export function EmailField(props: Omit<InputProps, 'type' | 'className'>) {
  return <TextField type="email" inputMode="email" autoCapitalize="none" spellCheck={false} required {...props} />;
}

/** A numeric code from a mail or an authenticator app: large, with the device's autofill. */
export function CodeField({ label, hint, error, ...rest }: Omit<InputProps, 'type' | 'className'>) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      label={label}
      hint={hint}
      error={error ?? null}
      className="input--code"
    />
  );
}

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id'>;

export function TextArea({ label, hint, error, className, rows = 4, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <textarea {...rest} {...describe(id, hint, error)} id={id} rows={rows} className={['input', 'input--area', className].filter(Boolean).join(' ')} />
    </Field>
  );
}

/** A native select. */
export function SelectField({ label, hint, error, className, children, ...rest }: FieldProps & Omit<ComponentProps<'select'>, 'id'>) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <div className="field__control">
        <select {...rest} {...describe(id, hint, error)} id={id} className={['input', 'input--select', className].filter(Boolean).join(' ')}>
          {children}
        </select>
        <Icon name="chevronDown" />
      </div>
    </Field>
  );
}

/** A password, with a button that reveals it. */
export function PasswordField({ label, hint, error, ...rest }: Omit<InputProps, 'type'>) {
  const id = useId();
  const [shown, setShown] = useState(false);
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <div className="field__control">
        <input {...rest} {...describe(id, hint, error)} id={id} type={shown ? 'text' : 'password'} className="input input--password" />
        <IconButton
          className="field__reveal"
          icon={shown ? 'eyeOff' : 'eye'}
          label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      </div>
    </Field>
  );
}
