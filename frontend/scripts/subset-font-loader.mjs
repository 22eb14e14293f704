// Makes a font from npm as small as the site needs: the characters of English text and the weights that the tokens
// name. Which axes and how far stands in the import's query: './literata.woff2?wght=400:700&opsz=16:72'.
import subsetFont from 'subset-font';

// Basic Latin, Latin-1, Œœ, real punctuation, the euro, arrows and fractions that texts use.
const RANGES = [
  [0x20, 0x7e], [0xa0, 0xff], [0x131, 0x131], [0x152, 0x153], [0x2002, 0x200a], [0x2010, 0x2015], [0x2018, 0x201e],
  [0x2020, 0x2022], [0x2026, 0x2026], [0x2032, 0x2033], [0x2039, 0x203a], [0x2044, 0x2044], [0x20ac, 0x20ac], [0x2122, 0x2122],
  [0x2190, 0x2193], [0x2212, 0x2212],
];
const TEXT = RANGES.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))).join('');

export const raw = true;

export default function subsetFontLoader(content) {
  const done = this.async();
  const variationAxes = Object.fromEntries(
    [...new URLSearchParams(this.resourceQuery)].map(([axis, range]) => {
      const [min, max] = range.split(':').map(Number);
      return [axis, max === undefined ? min : { min, max }];
    }),
  );
  subsetFont(content, TEXT, { targetFormat: 'woff2', variationAxes }).then((font) => done(null, font), done);
}
