// Unsaved input of the back office's forms, in this browser's storage: it outlives the page, the browser and the session, and
// belongs to the editor who typed it (admin.draft-owner).
import { currentMember } from '@/shared/session/account';
import { readStored, storedKeys, writeStored } from '@/lib/browserStore';
import type { Draft, DraftStore } from '@/ui/records/autosave';
import type { Values } from '@/ui/records/fields';

const PREFIX = 'record-draft:';
/**
 * Changes with each logout, in all tabs: a form that was opened before it stores nothing more. Absent where no form of the back
 * office was opened: nothing of a member stays after a logout.
 */
const LOGOUT = 'record-draft-logout';

/** Drafts are removed after this many days: the lifetime of a session (identity.refresh-rotation). */
export const DRAFT_DAYS = 30;
/** How many drafts this browser keeps, of all editors; the oldest are removed. */
export const DRAFTS_KEPT = 30;
/** A longer draft, in characters of JSON, is not stored. */
export const DRAFT_LENGTH = 500_000;
/** The characters of all drafts together; the oldest are removed. */
export const DRAFTS_LENGTH = 2_000_000;

const DAY = 86_400_000;

const isValue = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

const isValues = (values: unknown): values is Values => typeof values === 'object' && values !== null && Object.values(values).every(isValue);

/** The draft with this key; null when there is none, when it is too old, or when it can't be read. */
function readDraft(key: string, now: number): Draft | null {
  try {
    const { at, version, from, to } = JSON.parse(readStored('local', key) ?? '{}') as Partial<Record<keyof Draft, unknown>>;
    if (typeof at !== 'number' || now - at > DRAFT_DAYS * DAY || !isValues(from) || !isValues(to)) return null;
    return { key, at, version: typeof version === 'number' ? version : null, from, to };
  } catch {
    return null;
  }
}

/** Removes what is too old, can't be read, or exceeds the limits (admin.draft-limits). */
function sweep(now: number): void {
  const drafts = storedKeys('local', PREFIX)
    .map((key) => ({ key, at: readDraft(key, now)?.at ?? null, length: readStored('local', key)?.length ?? 0 }))
    .sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  let length = 0;
  for (const [index, draft] of drafts.entries()) {
    length += draft.length;
    if (draft.at === null || index >= DRAFTS_KEPT || length > DRAFTS_LENGTH) writeStored('local', draft.key, null);
  }
}

/** The signed-in editor's drafts of a record, such as 'book/4'; null when no one is signed in. */
export function recordDrafts(record: string): DraftStore | null {
  const editor = currentMember();
  if (editor === null) return null;
  sweep(Date.now());
  const prefix = `${PREFIX}${editor}:${record}:`;
  if (readStored('local', LOGOUT) === null) writeStored('local', LOGOUT, String(Math.random()));
  const logout = readStored('local', LOGOUT);
  return {
    newKey: () => `${prefix}${Date.now()}-${Math.random()}`,
    list: () =>
      storedKeys('local', prefix)
        .flatMap((key) => readDraft(key, Date.now()) ?? [])
        .sort((a, b) => b.at - a.at),
    write: ({ key, ...draft }) => {
      const text = JSON.stringify(draft);
      if (text.length > DRAFT_LENGTH || readStored('local', LOGOUT) !== logout) return false;
      writeStored('local', key, text);
      return readStored('local', key) === text;
    },
    remove: (key) => writeStored('local', key, null),
  };
}

/** Called before a logout: removes the editor's drafts (null: all), and keeps every open form, in any tab, from storing more. */
export function removeRecordDrafts(editor: number | null): void {
  if (readStored('local', LOGOUT) !== null) writeStored('local', LOGOUT, String(Math.random()));
  for (const key of storedKeys('local', editor === null ? PREFIX : `${PREFIX}${editor}:`)) writeStored('local', key, null);
}
