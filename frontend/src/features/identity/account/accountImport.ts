// Imports of an archive that was downloaded from another instance, or from an earlier account (identity.account-import).
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { ApiError, isUnreached } from '@/api/errors';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { upload } from '@/api/upload';
import type { Progress } from '@/api/upload';
import { formatNumber, plural } from '@/lib/format';

export type ImportOverview = ResultOf<'GET /api/user/import'>;
export type AccountImport = NonNullable<ImportOverview['lastImport']>;
export type ImportFigure = AccountImport['figures'][number];
export type KeptBook = ImportOverview['kept'][number];
export type KeptEntries = KeptBook['entries'][number];

/** Maximum size of an archive, in bytes. */
const ARCHIVE_BYTES = 50 * 1024 * 1024;
/** Polling interval of an import that is queued or runs, in milliseconds. */
const POLL = 1000;
/** The same while the server does not answer. */
const POLL_AFTER_ERROR = 5000;

export const isUnderWay = (last: AccountImport | null | undefined): boolean => last?.state === 'queued' || last?.state === 'running';

/** The last import and what is kept; polled while an import is queued or runs. */
export const importQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'account-import'],
    queryFn: ({ signal }) => call('GET /api/user/import', { signal }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.lastImport) ? (state.error ? POLL_AFTER_ERROR : POLL) : false),
    // An import that was left has gone on meanwhile.
    staleTime: 0,
    retryOnMount: false,
  });

const invalidateImport = (): Promise<void> => queryClient.invalidateQueries({ queryKey: importQuery().queryKey });

/** Changes the cached overview, and reads the rest when there was none. What is being read is from before the change. */
async function cacheOverview(change: Partial<ImportOverview>): Promise<void> {
  const { queryKey } = importQuery();
  await queryClient.cancelQueries({ queryKey });
  const isKnown = queryClient.getQueryData(queryKey) !== undefined;
  queryClient.setQueryData(queryKey, (now) => ({ lastImport: null, kept: [], ...now, ...change }));
  if (!isKnown) void invalidateImport();
}

const refuse = (message: string) => new ApiError({ status: 422, code: 'validation_failed', message, field: 'file' });

/** Runs `work`, which queues an import. After a failure the overview is read again: another import may be under way, or this one after all. */
async function queued(work: () => Promise<AccountImport>): Promise<void> {
  try {
    // The polling begins.
    await cacheOverview({ lastImport: await work() });
  } catch (error) {
    void invalidateImport();
    throw error;
  }
}

interface Sending {
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

/** Uploads an archive, which is imported after that. Throws an {@link ApiError}, also for a file that the server would refuse. */
export async function importArchive(file: File | null, { onProgress, signal }: Sending): Promise<void> {
  // The server's messages.
  if (file === null || file.size === 0) throw refuse('Please select your archive.');
  if (file.size > ARCHIVE_BYTES) throw refuse('The archive is larger than 50 MB.');
  try {
    await queued(async () => (await upload('/api/user/import', { file, onProgress, signal })) as AccountImport);
  } catch (error) {
    // A file that was changed or removed after it was selected looks like a network that fails.
    if (isUnreached(error) && !signal.aborted && !(await isReadable(file))) throw refuse('The file has changed. Please select it again.');
    throw error;
  }
}

const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** Looks again for the books of what is kept. */
export const lookAgain = (): Promise<void> => queued(() => call('POST /api/user/import/kept'));

/** Removes everything that is kept. */
export async function removeKept(): Promise<void> {
  await call('DELETE /api/user/import/kept');
  await cacheOverview({ kept: [] });
}

/** Reads again what this browser has of the member: an import can have changed all of it. The store of records is not loaded before. */
export function readMemberAgain(): void {
  void queryClient.invalidateQueries();
  import(/* webpackChunkName: "study-sync" */ '@/shared/study/studySync').then(
    ({ syncStudy }) => syncStudy(),
    // The next page reads the records too.
    () => undefined,
  );
}

type Noun = readonly [one: string, many: string];

interface Words {
  noun: Noun;
  /** What is kept, where that is counted in books. */
  books?: Noun;
  /** What is kept of one book, where it has another name. */
  entry?: Noun;
}

const LIBRARY: Noun = ['book of your library', 'books of your library'];
const AWAITED: Noun = ['book whose publication you wait for', 'books whose publication you wait for'];

const WORDS: Readonly<Record<string, Words>> = {
  places: { noun: ['place', 'places'] },
  library: { noun: LIBRARY, books: LIBRARY, entry: ['entry in your library', 'entries in your library'] },
  ratings: { noun: ['rating', 'ratings'] },
  notices: { noun: AWAITED, books: AWAITED, entry: ['notice when it is published', 'notices when it is published'] },
  highlights: { noun: ['highlight', 'highlights'] },
  cards: { noun: ['review card', 'review cards'] },
  commitments: { noun: ['commitment', 'commitments'], entry: ['commitment for a book', 'commitments for a book'] },
  ideas: { noun: ['completed key idea', 'completed key ideas'] },
  lists: { noun: ['list', 'lists'], books: ['book of your lists', 'books of your lists'], entry: ['entry in a list', 'entries in lists'] },
  listBooks: { noun: ['book of your lists', 'books of your lists'] },
  summaries: { noun: ['summary of your own', 'summaries of your own'] },
  days: { noun: ['day of reading', 'days of reading'] },
};

const sentences = (...parts: (string | false)[]): string | null => parts.filter(Boolean).join(' ') || null;

/** What is kept, after what was imported → '2 more wait for books that are not here.' */
function keptSentence({ kind, imported, kept }: ImportFigure, { noun, books }: Words): string {
  const isAlone = imported === 0;
  const are = kept === 1 ? 'is' : 'are';
  if (kind === 'lists' && !isAlone) return `${formatNumber(kept)} of ${imported === 1 ? 'its' : 'their'} books ${are} not here.`;
  const count = isAlone ? plural(kept, ...(books ?? noun)) : `${formatNumber(kept)} more`;
  if (books || (kind === 'places' && !isAlone)) return `${count} ${are} not here.`;
  return `${count} ${kept === 1 ? 'waits for a book that is' : 'wait for books that are'} not here.`;
}

/** The figures of one kind → '40 review cards. 2 more wait for books that are not here. 1 could not be imported.'; null for an unknown kind, or none. */
export function figureText(figure: ImportFigure): string | null {
  const { kind, imported, kept, unreadable } = figure;
  if (kind === 'settings') return sentences(imported > 0 && 'Your goal and settings.', unreadable > 0 && 'Some of your settings could not be imported.');
  const words = WORDS[kind];
  if (!words) return null;
  // A number alone would be read as one of books.
  const isNamed = imported + kept === 0 || kind === 'places' || kind === 'lists';
  return sentences(
    imported > 0 && `${kind === 'places' ? `Your place in ${plural(imported, 'book')}` : plural(imported, ...words.noun)}.`,
    kept > 0 && keptSentence(figure, words),
    unreadable > 0 && `${isNamed ? plural(unreadable, ...words.noun) : formatNumber(unreadable)} could not be imported.`,
  );
}

/** What a search for kept entries has found: of lists that are their books. */
const foundOf = (figure: ImportFigure): ImportFigure => ({ ...figure, kind: figure.kind === 'lists' ? 'listBooks' : figure.kind, kept: 0 });

/** What came of an import, by kind. Of a search for kept entries: only what was found. */
export const figureTexts = ({ isRetry, figures }: AccountImport): string[] => figures.flatMap((figure) => figureText(isRetry ? foundOf(figure) : figure) ?? []);

/** What is kept of a book → 'A place, 2 review cards' */
export function keptText(entries: readonly KeptEntries[]): string {
  const texts = entries.flatMap(({ kind, count }) => {
    const noun = WORDS[kind]?.entry ?? WORDS[kind]?.noun;
    if (!noun) return [];
    return count === 1 ? `${/^[aeiou]/.test(noun[0]) ? 'an' : 'a'} ${noun[0]}` : plural(count, ...noun);
  });
  const text = texts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
