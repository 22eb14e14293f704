// Keeps what is typed in a form until it is saved (admin.kept-input), and says what an earlier form has left (admin.draft-offer).
import { useEffect, useState, useSyncExternalStore } from 'react';
import { differences, sameValue } from '@/ui/records/fields';
import type { FieldDef, FieldValue, Values } from '@/ui/records/fields';
import { merge } from '@/ui/records/merge';
import type { Merge } from '@/ui/records/merge';

/** Unsaved input: the fields that were changed, and the version of the record from which the typing began. */
export interface Input {
  /** Null: the record is new, or has no versions. */
  version: number | null;
  /** The values of the changed fields before the typing. */
  from: Values;
  to: Values;
}

/** Stored input. Each form has a key of its own, so that two tabs of one record overwrite nothing of each other. */
export interface Draft extends Input {
  key: string;
  /** When it was stored, in milliseconds since the epoch. */
  at: number;
}

/** The drafts of one record. */
export interface DraftStore {
  newKey: () => string;
  /** Latest first. */
  list: () => readonly Draft[];
  /** Returns whether the draft is stored: it may be too long, storage may be full, or the editor has logged out. */
  write: (draft: Draft) => boolean;
  remove: (key: string) => void;
}

/** Input is stored at most this many milliseconds after it was typed. */
export const AUTOSAVE_AFTER = 1000;

const isStored = ({ type, inputType }: FieldDef) => type !== 'file' && type !== 'readonly' && inputType !== 'password';

/** What was typed in a form; null when that is nothing. Files and passwords are not stored. */
export function inputOf(fields: readonly FieldDef[], base: Values, values: Values, version: number | null): Input | null {
  const changed = differences(fields.filter(isStored), values, base);
  if (changed.length === 0) return null;
  const pick = (all: Values): Values => Object.fromEntries(changed.map((id) => [id, all[id] ?? null]));
  return { version, from: pick(base), to: pick(values) };
}

const kindOf = (value: FieldValue | undefined) => (Array.isArray(value) ? 'list' : typeof (value ?? ''));

/** Whether a draft differs from the form. A field that is no longer in the form, or is of another type by now, does not count. */
export const isNews = ({ to }: Input, fields: readonly FieldDef[], values: Values): boolean =>
  fields.some(({ id }) => id in to && kindOf(to[id]) === kindOf(values[id]) && !sameValue(to[id], values[id]));

/** The drafts that differ from the record, latest first. The others, which were saved, are removed. */
export function unsavedDrafts(store: DraftStore | null, fields: readonly FieldDef[], values: Values): readonly Draft[] {
  const drafts = store?.list() ?? [];
  for (const draft of drafts) if (!isNews(draft, fields, values)) store?.remove(draft.key);
  return drafts.filter((draft) => isNews(draft, fields, values));
}

/** The form's values with those of a draft. A field that has changed in both since the typing began is a clash (admin.draft-restore). */
export function restored({ from, to }: Input, fields: readonly FieldDef[], values: Values): Merge {
  const known = fields.filter(({ id }) => kindOf(to[id]) === kindOf(values[id]));
  return merge(known, { ...values, ...from }, { ...values, ...to }, values);
}

const sameInput = (a: Input | null, b: Input | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.version === b.version &&
    Object.keys(a.to).length === Object.keys(b.to).length &&
    Object.keys(b.to).every((id) => sameValue(a.to[id], b.to[id]) && sameValue(a.from[id], b.from[id])));

/** Stores one form's input, beginning with a draft that the form shows. Without a store it keeps nothing. */
export function createAutosave(store: DraftStore | null, shown: Draft | null = null) {
  let key = shown?.key ?? store?.newKey() ?? '';
  let input: Input | null = shown;
  let isWritten = true;
  let isKept = shown !== null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const set = (kept: boolean) => {
    if (kept === isKept) return;
    isKept = kept;
    for (const listener of listeners) listener();
  };
  /** Stores what was typed at once. Returns whether all of it is stored. */
  const flush = (): boolean => {
    clearTimeout(timer);
    timer = undefined;
    if (isWritten) return isKept;
    isWritten = true;
    if (input === null) store?.remove(key);
    set(input !== null && store !== null && store.write({ ...input, key, at: Date.now() }));
    return isKept;
  };

  return {
    flush,
    isKept: () => isKept,
    /** Whether all of the input is in the store now: a logout in another tab removes it. */
    isStored: (): boolean => isWritten && isKept && store !== null && store.list().some((draft) => draft.key === key),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** The form's input has changed; null once it is saved. */
    update: (next: Input | null) => {
      if (sameInput(input, next)) return;
      input = next;
      isWritten = false;
      if (next === null) flush();
      else timer ??= setTimeout(flush, AUTOSAVE_AFTER);
    },
    /** A draft becomes the form's own, in place of what the form has stored so far; `next` is the form's input with it. */
    adopt: (draft: Draft, next: Input | null) => {
      const before = key;
      key = draft.key;
      input = next;
      isWritten = false;
      if (flush() || next === null) store?.remove(before);
    },
  };
}

/** The state of stored input, near the button that saves it. */
export const DRAFT_KEPT = 'Draft kept on this device';

export type Autosave = ReturnType<typeof createAutosave>;

/** The autosave of a form, whose input is also stored when the page is hidden or left, or the form is removed. */
export function useAutosave(store: DraftStore | null, shown: Draft | null = null): { autosave: Autosave; isKept: boolean } {
  const [autosave] = useState(() => createAutosave(store, shown));
  useEffect(() => {
    const { flush } = autosave;
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', flush);
      flush();
    };
  }, [autosave]);
  return { autosave, isKept: useSyncExternalStore(autosave.subscribe, autosave.isKept) };
}
