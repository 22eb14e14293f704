import { useEffect, useRef, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { ApiError, rawMessageOf } from '@/api/errors';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { ConflictDialog } from '@/ui/records/ConflictDialog';
import { FieldControl } from '@/ui/records/FieldControl';
import { differences, firstFailure, shownFields } from '@/ui/records/fields';
import type { FieldDef, FieldValue, Values } from '@/ui/records/fields';
import { merge } from '@/ui/records/merge';
import { useUnsavedGuard } from '@/ui/records/useUnsavedGuard';
import { formErrorOf } from '@/ui/useForm';
import { scrollToTop } from '@/lib/scrollToTop';

/** A record as loaded. */
export interface Loaded {
  values: Values;
  /** Null: the record is new, or has no versions. */
  version: number | null;
  /** Who saved it last, if known. */
  by: string | null;
}

/** Replaces the default control of a field. */
export type CustomControl = (props: {
  field: FieldDef;
  value: FieldValue | undefined;
  error: string | null;
  onChange: (value: FieldValue) => void;
  values: Values;
}) => ReactNode;

interface Saved {
  /** 'Book was updated.' */
  message: ReactNode;
  /** The saved record. Without it the message replaces the form. */
  loaded?: Loaded;
}

interface Props {
  fields: readonly FieldDef[];
  loaded: Loaded;
  submit: (values: Values, version: number | null) => Promise<Saved>;
  /** Reloads the record, after another editor saved it. */
  reload?: () => Promise<Loaded>;
  controls?: Readonly<Record<string, CustomControl>>;
  submitLabel?: string;
  /** Unsaved input of an earlier visit, shown instead of the record's values. */
  draft?: Values | null;
  /** Called with the values at each change, and with null once they are saved. */
  onDraft?: (values: Values | null) => void;
  /** Additional buttons beside the submit button. */
  actions?: ReactNode;
}

interface Conflict {
  theirs: Loaded;
  mine: Values;
  clashes: readonly string[];
  merged: Values;
}

/** The server's error code when another editor saved the record meanwhile. */
const EDIT_CONFLICT = 'edit_conflict';

/**
 * A form for one record, generated from field definitions (admin.form-fields). Only the first failing field shows a message; the
 * server's error and the success message are in a banner at the top, which is scrolled into view. Leaving with unsaved changes
 * asks for confirmation, and a record that another editor saved meanwhile is merged field by field. Ctrl-S saves.
 */
export function RecordForm({ fields, loaded, submit, reload, controls = {}, submitLabel = 'Save', draft = null, onDraft, actions }: Props) {
  const [base, setBase] = useState(loaded);
  const [values, setValues] = useState<Values>(draft ?? loaded.values);
  const [failure, setFailure] = useState<{ id: string | null; message: string } | null>(null);
  const [success, setSuccess] = useState<ReactNode>(null);
  const [isDone, setDone] = useState(false);
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const running = useRef(false);
  const dirty = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const guard = useUnsavedGuard(() => dirty.current);
  const isChanged = differences(fields, values, base.values).length > 0;
  useEffect(() => {
    dirty.current = isChanged && !isDone;
  }, [isChanged, isDone]);

  const change = (id: string, value: FieldValue) => {
    const next = { ...values, [id]: value };
    setValues(next);
    setSuccess(null);
    if (failure?.id === id) setFailure({ id: null, message: failure.message });
    onDraft?.(next);
  };

  const fail = (id: string | null, message: string) => {
    setFailure({ id, message });
    setSuccess(null);
    scrollToTop();
    if (id !== null) form.current?.querySelector<HTMLElement>(`[name="${id}"]`)?.focus({ preventScroll: true });
  };

  const compare = async (mine: Values) => {
    if (!reload) return false;
    const theirs = await reload();
    const { values: merged, clashes } = merge(fields, base.values, mine, theirs.values);
    setConflict({ theirs, mine, clashes, merged });
    return true;
  };

  const send = async (sent: Values, version: number | null) => {
    if (running.current) return;
    const failed = firstFailure(fields, sent);
    if (failed) {
      fail(failed.id, failed.message);
      return;
    }
    running.current = true;
    setBusy(true);
    setFailure(null);
    setSuccess(null);
    try {
      const saved = await submit(sent, version);
      onDraft?.(null);
      if (saved.loaded) {
        setBase(saved.loaded);
        setValues(saved.loaded.values);
      } else setDone(true);
      setSuccess(saved.message);
      scrollToTop();
    } catch (error) {
      try {
        if (error instanceof ApiError && error.code === EDIT_CONFLICT && (await compare(sent))) return;
        const { message, fields: wrong } = formErrorOf(error, rawMessageOf);
        fail(Object.keys(wrong)[0] ?? null, message);
      } catch (again) {
        fail(null, rawMessageOf(again));
      }
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  // Ctrl-S saves, wherever the focus is.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 's' || document.querySelector('dialog[open]'))
        return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const banner = (
    <>
      {failure ? <Alert kind="warning">{failure.message}</Alert> : null}
      {success ? <Alert kind="success">{success}</Alert> : null}
    </>
  );
  if (isDone) return <div className="record-form">{banner}</div>;

  return (
    <>
      <form
        ref={form}
        className="record-form"
        noValidate
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
          event.preventDefault();
          void send(values, base.version);
        }}
      >
        {banner}
        <div className="record-form__fields">
          {shownFields(fields, values).map((field) => {
            const props = {
              field,
              value: values[field.id],
              error: failure?.id === field.id ? failure.message : null,
              onChange: (value: FieldValue) => change(field.id, value),
            };
            const control = controls[field.id];
            return (
              <div
                key={field.id}
                className={field.half ? 'record-form__field record-form__field--half' : 'record-form__field'}
                hidden={field.type === 'hidden'}
              >
                {field.section ? <h2 className="record-form__section">{field.section}</h2> : null}
                {control ? control({ ...props, values }) : <FieldControl {...props} values={values} />}
              </div>
            );
          })}
        </div>
        <div className="record-form__bar">
          <Button type="submit" kind="primary" busy={busy} busyText="Saving">
            {submitLabel}
          </Button>
          {actions}
          <p className="record-form__state" role="status">
            {isChanged ? 'Not saved' : ''}
          </p>
        </div>
      </form>
      {guard}
      {conflict ? (
        <ConflictDialog
          fields={fields}
          clashes={conflict.clashes}
          mine={conflict.mine}
          theirs={conflict.theirs.values}
          by={conflict.theirs.by}
          onClose={() => setConflict(null)}
          onChoose={(chosen) => {
            const merged = { ...conflict.merged, ...chosen };
            setBase(conflict.theirs);
            setValues(merged);
            setConflict(null);
            void send(merged, conflict.theirs.version);
          }}
        />
      ) : null}
    </>
  );
}
