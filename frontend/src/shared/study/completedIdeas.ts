// Completed key ideas: an idea counts as completed once it was read or heard to its end. Each one saves the place in its book and
// is sent to the server, now or when it can be reached again. The server merges, so a late or repeated report does no harm.
import { useSyncExternalStore } from 'react';
import { call } from '@/api/client';
import { isRetryable } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery, currentMember } from '@/shared/session/account';
import { nextMoment, sentNow } from '@/shared/positions/places';
import { onSyncOccasion, savePlace } from '@/shared/positions/positionSync';
import { removeIdeas, storeIdea, unsentIdeas } from '@/shared/study/unsentIdeas';
import type { UnsentIdea } from '@/shared/study/unsentIdeas';

/** The most ideas of a call. */
const MOST_IDEAS = 100;
/** The most of a call that may outlive the page: browsers refuse one with more than 64 kB. */
const MOST_KEPT_ALIVE = 10;

/** A key idea, by its heading, with its place in its book. */
export interface CompletedIdea {
  bookId: number;
  /** The section's index in the book, from 0. */
  section: number;
  /** How many sections the book has. */
  sections: number;
  /** The idea's heading. */
  idea: string;
}

/** When ideas were completed on this page, by the browser's clock in ms. */
let completedHere: ReadonlyMap<string, number> = new Map();
const listeners = new Set<() => void>();

type IdeaName = Pick<CompletedIdea, 'bookId' | 'idea'>;

const keyOf = ({ bookId, idea }: IdeaName) => `${bookId}\n${idea}`;

function setCompletedHere(now: ReadonlyMap<string, number>): void {
  completedHere = now;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Which of the ideas were completed on this page since a moment (the browser's clock, ms), by reading or listening. */
export function useCompletedIdeas(since: number): (idea: IdeaName) => boolean {
  const completed = useSyncExternalStore(subscribe, () => completedHere);
  return (idea) => (completed.get(keyOf(idea)) ?? Number.NEGATIVE_INFINITY) >= since;
}

/** Records that a member has completed an idea: saves the place in its book, and sends the idea. */
export function completeIdea(member: number, { bookId, section, sections, idea }: CompletedIdea): void {
  const at = nextMoment();
  savePlace(
    { member, book: bookId, position: Math.min(section, sections - 1), completed: false, at },
    {
      saved: () => undefined,
      failed(_place, error) {
        // eslint-disable-next-line no-console -- reading-progress.quiet-failures: history failures are logged
        console.warn('The place of a completed idea was not saved.', error);
      },
    },
  );
  storeIdea({ member, bookId, idea, at });
  setCompletedHere(new Map(completedHere).set(keyOf({ bookId, idea }), Date.now()));
  void sendCompletedIdeas();
}

/** Sends ideas; returns whether the server could be reached. One that it refuses is dropped, without the others. */
async function send(ideas: readonly UnsentIdea[], isCurrent: () => boolean): Promise<boolean> {
  const list = ideas.map(({ bookId, idea, at }) => ({ bookId, idea, at }));
  try {
    await call('POST /api/study/completed-ideas', {
      body: { ideas: list, sent: sentNow().sent },
      keepalive: list.length <= MOST_KEPT_ALIVE,
    });
  } catch (error) {
    if (isRetryable(error) || !isCurrent()) return false;
    if (ideas.length > 1) {
      for (const one of ideas) if (!(await send([one], isCurrent))) return false;
      return true;
    }
  }
  // After a logout they are removed, and those of the same member who has signed in again are others.
  if (!isCurrent()) return false;
  removeIdeas(ideas);
  return true;
}

/** Sends what waits of a member, in batches. */
async function sendAll(member: number, isCurrent: () => boolean): Promise<void> {
  let batch = unsentIdeas(member).slice(0, MOST_IDEAS);
  while (batch.length > 0 && isCurrent() && (await send(batch, isCurrent))) batch = unsentIdeas(member).slice(0, MOST_IDEAS);
}

let running: Promise<void> | null = null;
let isWanted = false;

async function runWhileWanted(): Promise<void> {
  try {
    while (isWanted) {
      isWanted = false;
      const ends = session.ends();
      const member = currentMember() ?? (await queryClient.query(accountQuery())).id;
      await sendAll(member, () => ends === session.ends());
    }
  } catch {
    // Tried again on the next occasion: what is unsent is stored.
  } finally {
    running = null;
  }
}

/** Sends what waits, one call at a time; resolves when that is done, or has to wait for another occasion. */
export function sendCompletedIdeas(): Promise<void> {
  if (session.token() === null || unsentIdeas(null).length === 0) return Promise.resolve();
  isWanted = true;
  running ??= runWhileWanted();
  return running;
}

onSyncOccasion(() => void sendCompletedIdeas());
session.subscribe(() => {
  if (session.token() === null) setCompletedHere(new Map());
});
void sendCompletedIdeas();
