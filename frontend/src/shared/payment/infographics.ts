// Texts about the infographics add-on (catalogue.infographic-add-ons).

export const LATER_ONES = 'You get the newest ones today and later ones until you have them all.';

/** How many infographics there are today, and what follows; the server provides the count. */
export const infographicsToday = (count: number): string =>
  count === 0 ? 'There are none yet. You get them as they appear, until you have them all.' : `${thereAre(count)} ${LATER_ONES}`;

export const thereAre = (count: number): string => (count === 1 ? 'There is 1 today.' : `There are ${count} today.`);
