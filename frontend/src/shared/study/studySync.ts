// Study sync: sends what a member keeps on this device, and reads what their other devices have changed. A record is sent as a
// whole, as often as it takes: the server merges it and answers with what comes of it (study.highlight-merge). One tab at a time.
import { call } from '@/api/client';
import { isRetryable, messageOf } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import { session } from '@/api/session';
import type { RequestOf, ResultOf } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { sentNow } from '@/shared/positions/places';
import { onSyncOccasion } from '@/shared/positions/positionSync';
import type { HighlightColor } from '@/shared/study/colors';
import type { Commitment } from '@/shared/study/commitments/commitment';
import { isListShown } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { MAX_TAGS, tagKey, tagsOf } from '@/shared/study/records';
import type { CardSchedule, Highlight, Place, ReviewCard } from '@/shared/study/records';
import { RECORD_STORES } from '@/shared/study/studyStorage';
import type { RecordStore, States, StudyRecord, UnsentAnswer } from '@/shared/study/studyStorage';
import { studyStore } from '@/shared/study/studyStore';

/** The most answers of a call. */
const MOST_ANSWERS = 100;

type Report = RequestOf<'PUT /api/study/highlights/{id}'>['body'];
type Sent = ResultOf<'PUT /api/study/highlights/{id}'>['highlight'];

/** The request that saves a highlight: with its anchor, or the moment of the recording; null for one without either. */
function reportOf(highlight: Highlight): Report | null {
  const { bookId, summaryId, part, anchor, heard, color, note, tags, createdAt, deletedAt } = highlight;
  const where = anchor ? { anchor } : heard && { heard };
  if (!where) return null;
  // Several devices together can have set more tags than a report may have.
  const shown = new Set(tagsOf(highlight).map(tagKey));
  const sent = tags.length <= MAX_TAGS ? tags : tags.filter(({ tag, on }) => !on || shown.has(tagKey(tag)));
  // Without one: it was deleted.
  const source = summaryId !== null ? { summaryId } : bookId !== null ? { bookId } : {};
  return { ...source, ...where, part, color, note, tags: [...sent], createdAt, deletedAt, ...sentNow() };
}

/** A highlight as this device keeps it. */
const stateOf = ({ place, color, part, ...rest }: Sent): Highlight => ({
  ...rest,
  hue: null,
  heard: null,
  part: part as Highlight['part'],
  color: { ...color, value: color.value as HighlightColor },
  place: place as Place,
});

type CardReport = RequestOf<'PUT /api/study/cards/{id}'>['body'];
type SentCard = ResultOf<'PUT /api/study/cards/{id}'>['card'];

const cardReportOf = ({
  kind,
  bookId,
  summaryId,
  highlightId,
  section,
  ideaTitle,
  opening,
  content,
  paused,
  createdAt,
  deletedAt,
}: ReviewCard): CardReport => ({
  kind,
  ...(summaryId === null ? { bookId } : { summaryId }),
  highlightId,
  section,
  ideaTitle,
  opening,
  content: { ...content, value: { ...content.value, blanks: [...content.value.blanks] } },
  paused,
  createdAt,
  deletedAt,
  ...sentNow(),
});

/** A review card as this device keeps it. */
const cardOf = ({ kind, schedule, ...rest }: SentCard): ReviewCard => ({
  ...rest,
  kind: kind as ReviewCard['kind'],
  schedule: schedule as unknown as CardSchedule,
});

type CommitmentReport = RequestOf<'PUT /api/study/commitments/{id}'>['body'];
type SentCommitment = ResultOf<'PUT /api/study/commitments/{id}'>['commitment'];

const commitmentReportOf = ({ bookId, text, outcome, answeredDay, createdAt, deletedAt }: Commitment): CommitmentReport => ({
  // Without one: it was deleted.
  ...(bookId !== null && { bookId }),
  text,
  outcome,
  answeredDay,
  createdAt,
  deletedAt,
  ...sentNow(),
});

/** A commitment as this device keeps it. */
const commitmentOf = ({ outcome, answeredDay, ...rest }: SentCommitment): Commitment => ({
  ...rest,
  outcome: outcome as Commitment['outcome'],
  answeredDay: answeredDay as Commitment['answeredDay'],
});

type ListReport = RequestOf<'PUT /api/study/lists/{id}'>['body'];

/** A part that no device has set is left out. So are the books of a deleted list: its deletion is not refused because of them. */
function listReportOf(list: ReadingList): ListReport {
  const { name, note, books, createdAt, deletedAt } = list;
  return {
    ...(name.at > 0 && { name }),
    ...(note.at > 0 && { note }),
    books: isListShown(list) ? books.map(({ bookId, rank, at }) => ({ bookId, rank, at })) : [],
    createdAt,
    deletedAt,
    ...sentNow(),
  };
}

/** The server's state of a list. The pages of lists also show what only the server knows, which may have changed with it. */
async function sendList(id: number, state: ReadingList): Promise<ReadingList> {
  const { list } = await call('PUT /api/study/lists/{id}', toRecord(id, listReportOf(state)));
  void queryClient.invalidateQueries({ queryKey: [viewer(), 'lists'] });
  return list;
}

/** The most bytes of a request that outlives the page: browsers refuse one of more than 64 KiB. */
const KEEPALIVE_MAX = 60_000;

const toRecord = <Body extends object>(id: number, body: Body) => ({
  path: { id: String(id) },
  body,
  keepalive: new TextEncoder().encode(JSON.stringify(body)).length < KEEPALIVE_MAX,
});

/** Sends a record and returns the server's state of it; null: there is nothing to send. */
const SEND: { [S in RecordStore]: (id: number, state: States[S]) => Promise<States[S]> | null } = {
  highlights: (id, state) => {
    const body = reportOf(state);
    return body && call('PUT /api/study/highlights/{id}', toRecord(id, body)).then(({ highlight }) => stateOf(highlight));
  },
  cards: (id, state) => call('PUT /api/study/cards/{id}', toRecord(id, cardReportOf(state))).then(({ card }) => cardOf(card)),
  commitments: (id, state) =>
    call('PUT /api/study/commitments/{id}', toRecord(id, commitmentReportOf(state))).then(({ commitment }) => commitmentOf(commitment)),
  lists: sendList,
};

/** Whether the session is still that in which the sync began. */
let sessions = 0;

/**
 * Sends what waits; returns whether the server could be reached. After the end of a session nothing is stored: its records were
 * removed.
 */
async function sendAll(member: number, isCurrent: () => boolean): Promise<boolean> {
  const { answers, ...records } = await studyStore.unsent(member);
  // Cards after the highlights that they are of.
  for (const store of RECORD_STORES) if (!(await sendRecords(store, member, records[store], isCurrent))) return false;
  for (let from = 0; from < answers.length; from += MOST_ANSWERS) {
    if (!(await sendAnswers(member, answers.slice(from, from + MOST_ANSWERS), isCurrent))) return false;
  }
  return true;
}

/** Sends records of one store; returns whether the server could be reached. */
async function sendRecords<S extends RecordStore>(
  store: S,
  member: number,
  records: readonly StudyRecord<States[S]>[],
  isCurrent: () => boolean,
): Promise<boolean> {
  for (const { id, rev, state } of records) {
    if (!isCurrent()) return false;
    try {
      const merged = await SEND[store](id, state);
      if (!isCurrent()) return false;
      if (merged) await studyStore.sent(store, member, rev, merged);
    } catch (error) {
      if (isRetryable(error) || !isCurrent()) return false;
      await studyStore.refused(store, member, id, rev, messageOf(error));
    }
  }
  return true;
}

/** Sends answers, after their cards; returns whether the server could be reached. One that it refuses is dropped, without the others. */
async function sendAnswers(member: number, answers: readonly UnsentAnswer[], isCurrent: () => boolean): Promise<boolean> {
  if (!isCurrent()) return false;
  const list = answers.map(({ id, cardId, rating, at }) => ({ id, cardId, rating, at }));
  try {
    const { cards } = await call('POST /api/study/answers', { body: { answers: list, ...sentNow() }, keepalive: true });
    if (!isCurrent()) return false;
    await studyStore.receive(member, { cards: cards.map(cardOf), cursor: 0, isEnd: false });
  } catch (error) {
    if (isRetryable(error) || !isCurrent()) return false;
    if (answers.length > 1) {
      for (const answer of answers) if (!(await sendAnswers(member, [answer], isCurrent))) return false;
      return true;
    }
  }
  if (!isCurrent()) return false;
  await studyStore.answersSent(
    member,
    list.map(({ id }) => id),
  );
  return true;
}

/** Reads what has changed since the last time. */
async function pullAll(member: number, isPaid: boolean, isCurrent: () => boolean): Promise<void> {
  let after: number | null = await studyStore.cursor(member, isPaid);
  while (after !== null && isCurrent()) {
    const found: ResultOf<'GET /api/study/changes'> = await call('GET /api/study/changes', { query: { after } });
    if (!isCurrent()) return;
    const { next } = found;
    const last = RECORD_STORES.map((store) => found[store].at(-1)?.version ?? 0);
    const records = {
      highlights: found.highlights.map(stateOf),
      cards: found.cards.map(cardOf),
      commitments: found.commitments.map(commitmentOf),
      lists: found.lists,
    };
    const part = { ...records, from: after, cursor: next ?? Math.max(after, found.version, ...last), isEnd: next === null, isPaid };
    if (!(await studyStore.receive(member, part))) return;
    after = next;
  }
}

async function syncMember(member: number, isPaid: boolean, isCurrent: () => boolean): Promise<void> {
  const work = async (): Promise<void> => {
    if (await sendAll(member, isCurrent)) await pullAll(member, isPaid, isCurrent);
  };
  // Absent in insecure contexts: there two tabs may send the same record, which the server merges once.
  const { locks } = navigator as { locks?: LockManager };
  if (locks) await locks.request(`pith-study/${member}`, work);
  else await work();
}

let running: Promise<void> | null = null;
let isWanted = false;

async function runWhileWanted(): Promise<void> {
  try {
    while (isWanted) {
      isWanted = false;
      const current = sessions;
      const { id, isPaid } = await queryClient.query(accountQuery());
      await syncMember(id, isPaid, () => current === sessions && session.token() !== null);
    }
  } catch {
    // Tried again on the next occasion: what is unsent is stored.
  } finally {
    running = null;
  }
}

/** Sends what waits and reads what has changed; resolves when that is done, or has to wait for another occasion. */
export function syncStudy(): Promise<void> {
  if (session.token() === null) return Promise.resolve();
  isWanted = true;
  running ??= runWhileWanted();
  return running;
}

onSyncOccasion(() => void syncStudy());
session.subscribe(() => {
  if (session.token() === null) sessions += 1;
});
