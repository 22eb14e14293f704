import { expect, it } from 'vitest';
import { infographicsToday } from '@/shared/payment/infographics';

it('says how many infographics there are and what follows, by any count', () => {
  expect([0, 1, 60].map(infographicsToday)).toEqual([
    'There are none yet. You get them as they appear, until you have them all.',
    'There is 1 today. You get the newest ones today and later ones until you have them all.',
    'There are 60 today. You get the newest ones today and later ones until you have them all.',
  ]);
});
