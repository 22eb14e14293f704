// Measures the contrast of the palette in tokens.css: AA (4.5; 3 for non-text) everywhere, AAA (7) where books are read.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Theme = 'light' | 'dark';
type Rgb = readonly [number, number, number];

const css = readFileSync('src/ui/styles/tokens.css', 'utf8');
const written = new Map([...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((m) => [m[1] ?? '', m[2] ?? '']));

/** A color token's value in one theme, at one hue. */
function colour(name: string, theme: Theme, hue = 0): Rgb {
  const value = written.get(name);
  if (!value) throw new Error(`There is no token --${name}.`);
  const both = /^light-dark\((oklch\(.*?\)+),\s*(oklch\(.*\))\)$/.exec(value.replaceAll('var(--hue)', String(hue)));
  const text = both ? (theme === 'light' ? both[1] : both[2]) : value;
  const numbers = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/.exec(text ?? '');
  if (!numbers) throw new Error(`--${name} is no colour that this test can read: ${value}`);
  return oklch(Number(numbers[1]), Number(numbers[2]), Number(numbers[3]));
}

/** OKLCH to linear sRGB, clipped to the gamut as browsers do on sRGB screens. */
function oklch(lightness: number, chroma: number, hue: number): Rgb {
  const turn = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(turn), chroma * Math.sin(turn)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (x: number) => Math.min(1, Math.max(0, x));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The reader's sepia colors, which override those of the light theme. */
const sepia = (/\[data-ground='sepia'\][^{]*\{([^}]*)\}/.exec(readFileSync('src/shared/reader/reader.css', 'utf8'))?.[1] ?? '').matchAll(
  /--([\w-]+):\s*([^;]+);/g,
);
const onSepia = new Map([...sepia].map((m) => [m[1] ?? '', m[2] ?? '']));

function sepiaColour(name: string): Rgb {
  const numbers = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/.exec(onSepia.get(name) ?? '');
  return numbers ? oklch(Number(numbers[1]), Number(numbers[2]), Number(numbers[3])) : colour(name, 'light');
}

const GROUNDS = ['paper', 'paper-raised', 'paper-sunk'] as const;

/** The colors of highlights (study.highlight-colors). */
const HIGHLIGHTS = ['honey', 'leaf', 'sky', 'rose'];

describe.each<Theme>(['light', 'dark'])('in the %s theme', (theme) => {
  const measure = (text: string, ground: string, hue?: number) => contrast(colour(text, theme, hue), colour(ground, theme, hue));

  it('knows black and white', () => {
    expect(contrast(oklch(0, 0, 0), oklch(1, 0, 0))).toBeCloseTo(21, 0);
  });

  it.each(GROUNDS)('the text of a book on %s is AAA', (ground) => {
    expect(measure('ink', ground)).toBeGreaterThanOrEqual(7);
  });

  it.each(['ink-soft', 'ink-faint', 'tangerine-ink', 'leaf-ink', 'harm-ink'])('%s is AA on every ground', (text) => {
    for (const ground of GROUNDS) expect(measure(text, ground), ground).toBeGreaterThanOrEqual(4.5);
  });

  it('what the reader says beside its text is AAA on paper', () => {
    expect(measure('ink-soft', 'paper')).toBeGreaterThanOrEqual(7);
  });

  it.each([
    ['on-tangerine', 'tangerine'],
    ['on-tangerine', 'tangerine-strong'],
    ['tangerine-ink', 'tangerine-wash'],
    ['ink', 'tangerine-wash'],
    ['ink-soft', 'tangerine-wash'],
    ['leaf-ink', 'leaf-wash'],
    ['harm-ink', 'harm-wash'],
    ['honey-ink', 'honey-wash'],
    ['ink', 'mark'],
    ['paper', 'ink'],
    ['on-band', 'band'],
  ])('%s on %s is AA', (text, ground) => {
    expect(measure(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(HIGHLIGHTS)('text that is highlighted in %s is AAA, and its underline stands out', (color) => {
    expect(measure('ink', `highlight-${color}`)).toBeGreaterThanOrEqual(7);
    expect(measure(`highlight-${color}-line`, 'paper')).toBeGreaterThanOrEqual(3);
  });

  it.each(['edge', 'focus', 'harm', 'leaf'])('the line %s stands out from every ground', (line) => {
    for (const ground of GROUNDS) expect(measure(line, ground), ground).toBeGreaterThanOrEqual(3);
  });

  it('a category is AA at every hue, and its picked chip too', () => {
    for (let hue = 0; hue < 360; hue += 15) {
      expect(measure('hue-ink', 'hue-wash', hue), `${hue}`).toBeGreaterThanOrEqual(4.5);
      expect(measure('paper-raised', 'hue-ink', hue), `${hue}`).toBeGreaterThanOrEqual(4.5);
      expect(measure('ink', 'hue-wash', hue), `${hue}`).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('on the reader’s sepia ground', () => {
  const measure = (text: string, ground: string) => contrast(sepiaColour(text), sepiaColour(ground));

  it('changes the paper', () => expect(onSepia.has('paper')).toBe(true));

  it.each(GROUNDS)('the text of a book on %s is AAA', (ground) => expect(measure('ink', ground)).toBeGreaterThanOrEqual(7));

  it.each(['ink-soft', 'ink-faint', 'tangerine-ink', 'leaf-ink', 'harm-ink'])('%s is AA on every ground', (text) => {
    for (const ground of GROUNDS) expect(measure(text, ground), ground).toBeGreaterThanOrEqual(4.5);
  });

  it.each(HIGHLIGHTS)('text that is highlighted in %s is AAA, and its underline stands out', (color) => {
    expect(measure('ink', `highlight-${color}`)).toBeGreaterThanOrEqual(7);
    expect(measure(`highlight-${color}-line`, 'paper')).toBeGreaterThanOrEqual(3);
  });

  it('what the reader says beside its text is AAA, and a control has an edge', () => {
    expect(measure('ink-soft', 'paper')).toBeGreaterThanOrEqual(7);
    for (const ground of GROUNDS) expect(measure('edge', ground), ground).toBeGreaterThanOrEqual(3);
  });
});
