// The plan that is not saved yet: in the session, so that a reload, the sign-up and the way back keep it (challenge.visitor-plan).
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

/** The plan that was drawn up last and is not saved. */
export function storedDraft(): Draft | null {
  const stored = read(DRAFT) as Partial<Draft> | null;
  return stored && isIds(stored.goals) && isIds(stored.bookIds) && Array.isArray(stored.books) && Array.isArray(stored.userGoalTitles)
    ? (stored as Draft)
    : null;
}

export const storeDraft = (draft: Draft | null): void => writeStored('session', DRAFT, draft && JSON.stringify(draft));

/** The plan that a visitor wanted to save: it is saved when the page is opened by a member. */
export function pendingSave(): { goals: number[]; bookIds: number[] } | null {
  const [goals, bookIds] = [read(GOALS), read(BOOKS)];
  return isIds(goals) && isIds(bookIds) ? { goals, bookIds } : null;
}

export function storePendingSave(plan: { goals: number[]; bookIds: number[] } | null): void {
  writeStored('session', GOALS, plan && JSON.stringify(plan.goals));
  writeStored('session', BOOKS, plan && JSON.stringify(plan.bookIds));
}
