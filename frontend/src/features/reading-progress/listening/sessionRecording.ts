// The recording of a session: the parts of its books' recordings, with the ideas as its sections.
import type { ResultOf } from '@/api/types';
import type { Recording } from '@/features/reading-progress/listening/model';
import { startsOf } from '@/features/reading-progress/listening/sessionSound';
import type { SessionPart } from '@/shared/listening/listening';

type BookRecording = Pick<ResultOf<'GET /api/books/{id}/audio'>, 'url' | 'until'>;

/** Reads the recordings of the books, each once. Fails if one of them can't be read. */
export async function sessionRecording(parts: readonly SessionPart[], recordingOf: (subid: string) => Promise<BookRecording>): Promise<Recording> {
  const books = [...new Set(parts.map(({ subid }) => subid))];
  const recordings = new Map(await Promise.all(books.map(async (subid) => [subid, await recordingOf(subid)] as const)));
  const starts = startsOf(parts);
  return {
    url: '',
    parts: parts.map(({ subid, from, to }) => ({ url: recordings.get(subid)?.url ?? '', from, to })),
    seconds: parts.reduce((sum, { from, to }) => sum + to - from, 0),
    until: Math.min(...[...recordings.values()].map(({ until }) => until)),
    chapters: parts.map(({ idea }, section) => ({ section, title: idea, at: starts[section] ?? 0 })),
    marks: [],
  };
}
