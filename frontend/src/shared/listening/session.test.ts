import { describe, expect, it } from 'vitest';
import type { Listening, SessionPart } from '@/shared/listening/listening';
import { heardPart } from '@/shared/listening/session';
import { sampleListening, sampleRecording, sampleTrack } from '@test/listening';

const part = (bookId: number): SessionPart => ({
  bookId,
  subid: `book-${bookId}`,
  section: 4,
  sections: 9,
  idea: `Idea ${bookId}`,
  bookTitle: `Book ${bookId}`,
  author: 'Ada Writer',
  image: null,
  from: 100,
  to: 130,
});

/** A session of three parts, which begin at 0, 10 and 60 seconds. */
const session = () => sampleTrack({ bookId: null, subid: 'session', parts: [part(1), part(2), part(3)] });

const at = (seconds: number, more: Partial<Listening> = {}): Listening => ({
  ...(sampleListening(session()) ?? expect.unreachable()),
  ...sampleRecording(),
  stage: 'ready',
  at: seconds,
  ...more,
});

describe('the part of a session that is heard', () => {
  it.each([
    [0, 0],
    [9, 0],
    [10, 1],
    [59, 1],
    [60, 2],
    [89, 2],
  ])('at %i seconds is the part with the index %i', (seconds, index) => expect(heardPart(at(seconds))).toBe(index));

  it('is unknown before the recordings are there, after the end, and when something else or nothing is open', () => {
    expect(heardPart(sampleListening(session()))).toBeNull();
    expect(heardPart(at(0, { ended: true }))).toBeNull();
    expect(heardPart(at(20, { track: sampleTrack() }))).toBeNull();
    expect(heardPart(null)).toBeNull();
  });
});
