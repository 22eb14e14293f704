// The unsaved plan, in session storage, so that it survives a reload and the redirect to the sign-up and back
// (challenge.visitor-plan).
import type { ResultOf } from '@/api/types';
import { readStored, writeStored } from '@/lib/browserStore';

export interface Draft extends ResultOf<'POST /api/user/ten-day-challenge'> {
  goals: number[];
}

const DRAFT = 'ten-day-plan';
const GOALS = 'ten-day-goals';
const BOOKS = 'ten-day-book-ids';

function read(key: string): unknown {
  try {
    return JSON.parse(readStored('session', key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

const isIds = (value: unknown): value is number[] => Array.isArray(value) && value.length > 0 && value.every((id) => Number.isInteger(id));

/** The last generated plan, if it is not saved. */
export function storedDraft(): Draft | null {
  const stored = read(DRAFT) as Partial<Draft> | null;
  return stored &&
    isIds(stored.goals) &&
    isIds(stored.bookIds) &&
    Array.isArray(stored.books) &&
    stored.books.every((book) => 'access' in book) &&
    Array.isArray(stored.userGoalTitles)
    ? (stored as Draft)
    : null;
}

export const storeDraft = (draft: Draft | null): void => writeStored('session', DRAFT, draft && JSON.stringify(draft));

/** The plan that a visitor wanted to save: it is saved when the visitor comes back as a member. */
export function pendingSave(): { goals: number[]; bookIds: number[] } | null {
  const [goals, bookIds] = [read(GOALS), read(BOOKS)];
  return isIds(goals) && isIds(bookIds) ? { goals, bookIds } : null;
}

export function storePendingSave(plan: { goals: number[]; bookIds: number[] } | null): void {
  writeStored('session', GOALS, plan && JSON.stringify(plan.goals));
  writeStored('session', BOOKS, plan && JSON.stringify(plan.bookIds));
}
