import { useEffect, useRef, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { ApiError, rawMessageOf } from '@/api/errors';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { ConflictDialog } from '@/ui/records/ConflictDialog';
import { DraftOffer } from '@/ui/records/DraftOffer';
import { FieldControl } from '@/ui/records/FieldControl';
import { DRAFT_KEPT, inputOf, isNews, restored, unsavedDrafts, useAutosave } from '@/ui/records/autosave';
import type { Draft, DraftStore } from '@/ui/records/autosave';
import { differences, firstFailure, shownFields } from '@/ui/records/fields';
import type { FieldDef, FieldValue, Values } from '@/ui/records/fields';
import { merge } from '@/ui/records/merge';
import { useUnsavedGuard } from '@/ui/records/useUnsavedGuard';
import { formErrorOf } from '@/ui/useForm';
import { scrollToTop } from '@/lib/scrollToTop';
import { toast } from '@/ui/toast';

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
  /** Opens the drafts of this record; without it unsaved input is kept nowhere. */
  openDrafts?: () => DraftStore | null;
  /** Called with the values whenever they change. */
  onValues?: (values: Values) => void;
  /** Additional buttons beside the submit button. */
  actions?: ReactNode;
}

/** Two values of one field to choose between: another editor's when this one saves, or the form's when a draft is restored. */
interface Conflict {
  /** The restored draft; null when saving. */
  draft: Draft | null;
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
 * asks for confirmation, and a record that another editor saved meanwhile is merged field by field. Ctrl-S saves. What is typed is
 * kept on this device until it is saved or discarded, and is offered when the record is opened again (admin.draft-offer).
 */
export function RecordForm({ fields, loaded, submit, reload, controls = {}, submitLabel = 'Save', openDrafts, onValues, actions }: Props) {
  const [base, setBase] = useState(loaded);
  const [values, setLatest] = useState<Values>(loaded.values);
  const [drafts] = useState(() => openDrafts?.() ?? null);
  const [offers, setOffers] = useState(() => unsavedDrafts(drafts, fields, loaded.values));
  const [failure, setFailure] = useState<{ id: string | null; message: string } | null>(null);
  const [success, setSuccess] = useState<ReactNode>(null);
  const [isDone, setDone] = useState(false);
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const running = useRef(false);
  const dirty = useRef(false);
  const refocus = useRef(false);
  const latest = useRef(values);
  const form = useRef<HTMLFormElement>(null);
  const { autosave, isKept } = useAutosave(drafts);
  const guard = useUnsavedGuard(() => dirty.current, autosave);
  const isChanged = differences(fields, values, base.values).length > 0;
  useEffect(() => {
    latest.current = values;
    dirty.current = isChanged && !isDone;
    autosave.update(isDone ? null : inputOf(fields, base.values, values, base.version));
    if (refocus.current) form.current?.focus({ preventScroll: true });
    refocus.current = false;
  });
  const offer = offers.find((draft) => isNews(draft, fields, values));

  const setValues = (next: Values) => {
    setLatest(next);
    onValues?.(next);
  };

  const change = (id: string, value: FieldValue) => {
    setValues({ ...values, [id]: value });
    setSuccess(null);
    if (failure?.id === id) setFailure({ id: null, message: failure.message });
  };

  const fail = (id: string | null, message: string) => {
    setFailure({ id, message });
    setSuccess(null);
    scrollToTop();
    if (id !== null) form.current?.querySelector<HTMLElement>(`[name="${id}"]`)?.focus({ preventScroll: true });
  };

  /** Removes an offer, whose buttons leave the focus to the form. */
  const withdraw = (draft: Draft) => {
    setOffers((before) => before.filter(({ key }) => key !== draft.key));
    refocus.current = true;
  };

  const apply = (draft: Draft, next: Values) => {
    autosave.adopt(draft, inputOf(fields, base.values, next, base.version));
    setValues(next);
    setSuccess(null);
    withdraw(draft);
  };

  /** Restores a draft; where the record, or the form, has changed in the same fields since then, the editor chooses. */
  const restore = (draft: Draft) => {
    const { values: merged, clashes } = restored(draft, fields, values);
    if (clashes.length === 0) apply(draft, merged);
    else setConflict({ draft, theirs: { ...base, values }, mine: { ...values, ...draft.to }, clashes, merged });
  };

  const discard = (draft: Draft) => {
    drafts?.remove(draft.key);
    withdraw(draft);
    toast('The unsaved changes were discarded.', {
      label: 'Undo',
      run: () => {
        drafts?.write(draft);
        setOffers((before) => [draft, ...before]);
      },
    });
  };

  const compare = async (mine: Values) => {
    if (!reload) return false;
    const theirs = await reload();
    const { values: merged, clashes } = merge(fields, base.values, mine, theirs.values);
    setConflict({ draft: null, theirs, mine, clashes, merged });
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
      // Here too, in case the form was left while it was saved.
      autosave.update(null);
      if (saved.loaded) {
        setBase(saved.loaded);
        // With what was typed while it was saved.
        setValues(merge(fields, sent, latest.current, saved.loaded.values).values);
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

  /** Who has saved the record since a draft was typed; null when nobody has, or when it is not known. */
  const savedSince = ({ version }: Draft) => (version === base.version ? null : base.by);

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
        tabIndex={-1}
        noValidate
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
          event.preventDefault();
          void send(values, base.version);
        }}
      >
        {banner}
        {offer ? <DraftOffer at={offer.at} by={savedSince(offer)} onRestore={() => restore(offer)} onDiscard={() => discard(offer)} /> : null}
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
            {isChanged ? (isKept ? `Not saved · ${DRAFT_KEPT}` : 'Not saved') : ''}
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
          by={conflict.draft ? savedSince(conflict.draft) : conflict.theirs.by}
          restores={conflict.draft !== null}
          onClose={() => setConflict(null)}
          onChoose={(chosen) => {
            const merged = { ...conflict.merged, ...chosen };
            if (conflict.draft) {
              setConflict(null);
              apply(conflict.draft, merged);
              return;
            }
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
