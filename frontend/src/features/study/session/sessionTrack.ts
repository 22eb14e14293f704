// A session as the player opens it.
import type { SessionIdea } from '@/features/study/session/queries';
import { sessionHeading } from '@/features/study/session/request';
import type { SessionRequest } from '@/features/study/session/request';
import type { SessionPart, Track } from '@/shared/listening/listening';
import { paths } from '@/paths';

/** The ideas that can be heard. */
const partsOf = (ideas: readonly SessionIdea[]): SessionPart[] =>
  ideas.flatMap(({ book, section, sections, title, recording }) =>
    recording
      ? [{ bookId: book.id, subid: book.subid, section, sections, idea: title, bookTitle: book.title, author: book.author, image: book.image, ...recording }]
      : [],
  );

/** The session's track; null when none of its ideas has a recording. */
export function trackOf(ideas: readonly SessionIdea[], request: SessionRequest, member: number): (Track & { parts: readonly SessionPart[] }) | null {
  const parts = partsOf(ideas);
  const book = ideas.find(({ recording }) => recording)?.book;
  if (!book) return null;
  return {
    member,
    bookId: null,
    subid: 'session',
    file: null,
    title: sessionHeading(request),
    author: '',
    image: book.image,
    hue: book.categories[0]?.hue ?? 60,
    sections: 0,
    parts,
    page: paths.sessionOf(request.minutes, request.topic),
  };
}

/** The index of the idea that is a part of the track, by the part's index. */
export const ideaOfPart = (ideas: readonly SessionIdea[], part: number): number | null =>
  ideas.flatMap(({ recording }, index) => (recording ? [index] : []))[part] ?? null;
