// Makes a font from npm as small as the site needs: its characters, the features that the styles use, and the weights that the
// tokens name. Which axes and how far stands in the import's query, and which characters when the face has a file
// for each range: './literata.woff2?wght=400:700&opsz=16:72&characters=common'.
import subsetFont from 'subset-font';
import { COMMON, FURTHER, charactersOf } from './font-characters.mjs';

const CHARACTERS = { common: charactersOf(COMMON), further: charactersOf(FURTHER), all: charactersOf(`${COMMON}, ${FURTHER}`) };

// What browsers apply to Latin text unasked, and figures of one width (`tabular-nums`). Small capitals, old figures and
// superscripts are a quarter of the file, and no style asks for them.
const FEATURES = ['ccmp', 'locl', 'kern', 'mark', 'mkmk', 'liga', 'clig', 'rlig', 'calt', 'tnum'];

export const raw = true;

export default function subsetFontLoader(content) {
  const done = this.async();
  const { characters = 'all', ...axes } = Object.fromEntries(new URLSearchParams(this.resourceQuery));
  if (!(characters in CHARACTERS)) return done(new Error(`There are no characters called ${characters}.`));
  const variationAxes = Object.fromEntries(
    Object.entries(axes).map(([axis, range]) => {
      const [min, max] = range.split(':').map(Number);
      return [axis, max === undefined ? min : { min, max }];
    }),
  );
  subsetFont(content, CHARACTERS[characters], { targetFormat: 'woff2', variationAxes, keepFeatures: FEATURES }).then((font) => done(null, font), done);
}
