// The characters of the site's fonts, as CSS writes them (`unicode-range`): English text, with what it borrows. fonts.css has the
// same ranges beside each file; a test compares them.

/** What nearly every page has: the preloaded files have these and no more. */
export const COMMON =
  'U+20-7E, U+A0, U+A3, U+A9, U+B7, U+D7, U+E0-E2, U+E4, U+E7-EB, U+ED, U+F1-F4, U+F6, U+F8, U+FA, U+FC, U+2013-2014, U+2018-2019, U+201C-201D, U+2026, U+20AC';

/** The rest of Latin-1, Œœ, real punctuation, arrows and fractions that texts use: fetched where one of them is shown. */
export const FURTHER =
  'U+A1-A2, U+A4-A8, U+AA-B6, U+B8-D6, U+D8-DF, U+E3, U+E5-E6, U+EC, U+EE-F0, U+F5, U+F7, U+F9, U+FB, U+FD-FF, U+131, U+152-153, U+2002-200A, U+2010-2012, U+2015, U+201A-201B, U+201E, U+2020-2022, U+2032-2033, U+2039-203A, U+2044, U+2122, U+2190-2193, U+2212';

/** The characters of a `unicode-range`. */
export function charactersOf(ranges) {
  return ranges
    .split(', ')
    .map((range) => {
      const [from, to = from] = range
        .slice('U+'.length)
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('');
    })
    .join('');
}
