import { describe, expect, it } from 'vitest';
import { parseCsv, toCsv } from '@/features/admin/csv';

describe('a CSV file', () => {
  it('is read as it was written', () => {
    const rows = [
      ['Name', 'Text'],
      ['Ada, "the first"', 'two\nlines'],
      ['', '-3.50'],
    ];
    expect(parseCsv(toCsv(rows))).toEqual(rows);
  });

  it('has no formula for a spreadsheet to run', () => {
    expect(toCsv([['=HYPERLINK("x")', '@a', '-2+3', '-2', '+1']])).toBe(`\uFEFF"'=HYPERLINK(""x"")",'@a,'-2+3,-2,'+1\r\n`);
  });

  it.each([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a;b\r\n\r\nc;"d;e"\r\n',
      [
        ['a', 'b'],
        ['c', 'd;e'],
      ],
    ],
    ['a\tb', [['a', 'b']]],
    ['\uFEFFcode\n  \nX-1\n', [['code'], ['X-1']]],
    ['', []],
  ])('is read with any separator and line end: %j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });
});
