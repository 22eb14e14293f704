// The documented numbers that the app owns (site.documented-numbers); the others are constants in the server's crates.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SESSION_VALIDITY } from '@/api/session';
import { FONT_SIZES } from '@/shared/reader/fontSize';
import { HOME_NEW } from '@/shared/catalogue/home';
import { SESSION_CHECK_DELAY } from '@/shared/session/signIn';
import { HOME_HISTORY } from '@/features/catalogue/queries';
import { FASTEST, SLOWEST, SPEED_STEP } from '@/features/reading-progress/listening/model';
import { FEEDBACK_LIMIT } from '@/features/reading-progress/reading/components/RatingForm';
import { LIBRARY_PAGE } from '@/features/reading-progress/reading/queries';
import { TRANSITION } from '@/features/catalogue/visuals/carousel';
import { VISUALS_READ_MINUTES } from '@/features/catalogue/visuals/queries';

it.each([
  ['a session is valid for an hour, in milliseconds', SESSION_VALIDITY, 3_600_000],
  ['a token of a URL is checked after a second', SESSION_CHECK_DELAY, 1000],
  ['home shows six new releases', HOME_NEW, 6],
  ['home shows ten entries of the history', HOME_HISTORY, 10],
  ['the library loads twenty books at a time', LIBRARY_PAGE, 20],
  ['feedback has at most 500 characters', FEEDBACK_LIMIT, 500],
  ['the reader has three font sizes', FONT_SIZES.length, 3],
  ['the slowest speed is a half', SLOWEST, 0.5],
  ['the fastest speed is two', FASTEST, 2],
  ['speeds are a quarter apart', SPEED_STEP, 0.25],
  ['slides change in 300 ms', TRANSITION, 300],
  ['an illustrated summary takes five minutes', VISUALS_READ_MINUTES, 5],
])('%s', (_, named, documented) => expect(named).toBe(documented));

it('a sidebar is 480 px wide', () => {
  const rem = /--sidebar: ([\d.]+)rem;/.exec(readFileSync('src/ui/styles/tokens.css', 'utf8'))?.[1];
  expect(Number(rem) * 16).toBe(480);
  expect(readFileSync('src/ui/styles/components.css', 'utf8')).toContain('width: min(var(--sidebar), 100vw);');
});
