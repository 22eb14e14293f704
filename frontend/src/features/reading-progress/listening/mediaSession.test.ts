import { expect, it } from 'vitest';
import type { Listening } from '@/shared/listening/listening';
import { metadataOf } from '@/features/reading-progress/listening/mediaSession';
import { reduce } from '@/features/reading-progress/listening/model';
import { sampleRecording, sampleTrack } from '@test/listening';

function playing(image: string | null, at: number): Listening {
  const opened = reduce(null, { type: 'opened', track: sampleTrack({ image }), rate: 1, muted: false, wanted: true });
  const state = reduce(opened, { type: 'loaded', recording: sampleRecording(), at });
  if (!state) throw new Error('There is a state.');
  return state;
}

it('shows the section, author, book and cover in the system’s controls', () => {
  expect(metadataOf(playing('/media/covers/walden-1a2b.svg', 20))).toEqual({
    title: 'Second idea',
    artist: 'Ada Writer',
    album: 'Book 1',
    artwork: [{ src: '/media/covers/walden-1a2b.512.png', sizes: '512x768', type: 'image/png' }],
  });
});

it('takes a picture as it is, and does without one', () => {
  expect(metadataOf(playing('/media/covers/own-1a.webp', 0)).artwork).toEqual([{ src: '/media/covers/own-1a.webp', type: 'image/webp' }]);
  expect(metadataOf(playing(null, 0)).artwork).toEqual([]);
});
