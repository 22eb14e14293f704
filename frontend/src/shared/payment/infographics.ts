// What an add-on of infographics gives (catalogue.infographic-add-ons).

/** Which of them somebody gets. */
export const LATER_ONES = 'You get the newest ones today, and later ones follow until you have them all.';

/** How many there are today, and what follows: the count is the server's. */
export const infographicsToday = (count: number): string =>
  count === 0 ? 'There are none yet. You get them as they appear, until you have them all.' : `${thereAre(count)} ${LATER_ONES}`;

/** How many there are. */
export const thereAre = (count: number): string => (count === 1 ? 'There is 1 today.' : `There are ${count} today.`);
