// The unicode ranges in fonts.css match the characters of the font files that the build creates.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ranges = new Map(
  [...readFileSync('scripts/font-characters.mjs', 'utf8').matchAll(/const (COMMON|FURTHER) =\s*'([^']+)'/g)].map((m) => [m[1]?.toLowerCase(), m[2]]),
);
const faces = [...readFileSync('src/ui/styles/fonts.css', 'utf8').matchAll(/@font-face \{([^}]*)\}/g)].map(([, face = '']) => ({
  name: `${/font-family: '(.*)'/.exec(face)?.[1] ?? ''} ${/font-style: (\w+)/.exec(face)?.[1] ?? ''}`,
  characters: /characters=(\w+)/.exec(face)?.[1],
  range: /unicode-range:\s*([^;]+);/.exec(face)?.[1]?.replace(/\s+/g, ' '),
}));

describe('the faces of the site', () => {
  it('say of each file the characters that it has', () => {
    const cut = faces.filter(({ characters }) => characters !== undefined);
    expect(cut).toHaveLength(8);
    for (const { characters, range } of cut) expect(range).toBe(ranges.get(characters));
  });

  it('have every character in one file', () => {
    const all = [...ranges.values()].flatMap((range) =>
      (range ?? '').split(', ').flatMap((part) => {
        const [from = 0, to = from] = part
          .slice(2)
          .split('-')
          .map((code) => Number.parseInt(code, 16));
        return Array.from({ length: to - from + 1 }, (_, i) => from + i);
      }),
    );
    expect(new Set(all).size).toBe(all.length);
  });
});
