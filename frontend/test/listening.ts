// A recording of three sections, for the tests of the player.
import type { Listening, Track } from '@/shared/listening/listening';
import { reduce } from '@/features/reading-progress/listening/model';
import type { Recording } from '@/features/reading-progress/listening/model';

export const sampleTrack = (more: Partial<Track> = {}): Track => ({
  member: 7,
  bookId: 1,
  subid: 'book-1',
  file: null,
  title: 'Book 1',
  author: 'Ada Writer',
  image: null,
  hue: 265,
  sections: 3,
  ...more,
});

/** 90 seconds: sections at 0, 10 and 60. */
export const sampleRecording = (more: Partial<Recording> = {}): Recording => ({
  url: '/media/audio/book-1.mp3?until=1',
  seconds: 90,
  until: Number.MAX_SAFE_INTEGER,
  chapters: [
    { section: 0, title: 'First idea', at: 0 },
    { section: 1, title: 'Second idea', at: 10 },
    { section: 2, title: 'Third idea', at: 60 },
  ],
  marks: [
    { section: 0, paragraph: null, at: 0 },
    { section: 0, paragraph: 0, at: 2 },
    { section: 0, paragraph: 1, at: 6 },
    { section: 1, paragraph: null, at: 10 },
    { section: 1, paragraph: 0, at: 12 },
    { section: 2, paragraph: null, at: 60 },
    { section: 2, paragraph: 0, at: 62 },
  ],
  ...more,
});

/** The player's state when it was asked to open this track. */
export const sampleListening = (track: Track, wanted = true): Listening | null => reduce(null, { type: 'opened', track, rate: 1, muted: false, wanted });
