import { expect, it } from 'vitest';
import { infographicsToday } from '@/shared/payment/infographics';

it('says how many infographics there are and what follows, by any count', () => {
  expect([0, 1, 60].map(infographicsToday)).toEqual([
    'There are none yet. They are yours as they appear, until your number is reached.',
    'There is 1 today. You get the newest of today, and later ones follow until your number is reached.',
    'There are 60 today. You get the newest of today, and later ones follow until your number is reached.',
  ]);
});
