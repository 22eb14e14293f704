import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { loginAgainFor, paths } from '@/paths';
import { Button } from '@/ui/Button';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import type { Form } from '@/ui/useForm';

interface RowProps {
  label: ReactNode;
  /** A badge beside the label: on, off, current. */
  mark?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}

/** A row of the account page: a setting's value and its controls. */
export function Row({ label, mark, children, actions }: RowProps) {
  return (
    <div className="setting">
      <div className="setting__text">
        <h3 className="setting__label">
          {label}
          {mark ? <> {mark}</> : null}
        </h3>
        {children}
      </div>
      {actions ? <div className="setting__actions">{actions}</div> : null}
    </div>
  );
}

interface SettingProps extends Omit<RowProps, 'actions' | 'label'> {
  /** The row's id, for URL fragments. */
  id?: string;
  label: string;
  /** The button's text; `of` names what it changes and is added for screen readers. */
  action: string;
  of?: string;
  /** The form that replaces the value. `close` returns the focus to the button. */
  form: (close: () => void) => ReactNode;
}

/** A value with a button that opens a form in its place. Escape cancels. */
export function Setting({ id, label, mark, action, of, form, children }: SettingProps) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLDivElement>(null);
  const was = useRef(false);

  useEffect(() => {
    if (open) place.current?.querySelector<HTMLElement>('input:not([hidden]), select, textarea, button')?.focus();
    // The value may contain buttons of its own.
    else if (was.current) button.current?.querySelector<HTMLElement>('.setting__actions button')?.focus();
    was.current = open;
  }, [open]);

  // The value is loaded after the browser has scrolled to the URL's fragment.
  useEffect(() => {
    if (id && window.location.hash === `#${id}`) button.current?.scrollIntoView({ block: 'center' });
  }, [id]);

  const close = () => setOpen(false);
  if (!open) {
    return (
      <div ref={button} id={id}>
        <Row
          label={label}
          mark={mark}
          actions={
            <Button kind="quiet" aria-expanded={false} aria-label={of ? `${action} ${of}` : undefined} onClick={() => setOpen(true)}>
              {action}
            </Button>
          }
        >
          {children}
        </Row>
      </div>
    );
  }
  return (
    // Escape is a shortcut for the form's Cancel button.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="setting setting--open"
      ref={place}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div className="setting__text">
        <h3 className="setting__label">{label}</h3>
        {form(close)}
      </div>
    </div>
  );
}

interface SettingFormProps {
  form: Form;
  save: string;
  busyText?: string;
  onCancel: () => void;
  children: ReactNode;
}

/** A small inline form: fields, save, cancel. A field's error is shown only at the field. */
export function SettingForm({ form, save, busyText = 'Saving', onCancel, children }: SettingFormProps) {
  return (
    <form className="form setting__form" {...form.props}>
      <SettingError form={form} />
      {children}
      <div className="setting__buttons">
        <SubmitButton form={form} busyText={busyText}>
          {save}
        </SubmitButton>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** The form's alert, unless the error is shown at a field. */
export function SettingError({ form }: { form: Form }) {
  const atField = form.error !== null && form.error.retryAfter === null && Object.keys(form.error.fields).length > 0;
  if (atField) return null;
  return (
    <FormAlert form={form}>
      {form.error?.code === 'fresh_login_required' ? (
        <p>
          <Link to={loginAgainFor(paths.account)}>Log in again</Link>
        </p>
      ) : null}
    </FormAlert>
  );
}

/** A row that links to another page. */
export function LinkRow({ to, label, note, harm = false }: { to: string; label: string; note?: string; harm?: boolean }) {
  return (
    <li className="account__item">
      <Link className={harm ? 'account__link account__link--harm' : 'account__link'} to={to}>
        <RowText label={label} note={note} />
        <Icon name="chevronRight" />
      </Link>
    </li>
  );
}

export function RowText({ label, note }: { label: string; note?: string | undefined }) {
  return (
    <span>
      <span className="account__label">{label}</span>
      {note ? <span className="account__note">{note}</span> : null}
    </span>
  );
}
