import { describe, expect, it } from 'vitest';
import { addressAt, bounded, placeInAddress, raiseHeadings, startAt } from '@/shared/reader/position';

describe('where reading begins', () => {
  it('is the saved place, when it is one', () => {
    expect(startAt({ search: '', saved: 3, total: 9 })).toBe(3);
  });

  it.each([-1, 9, 40, 1.5, Number.NaN])('is the first section when the saved place is %s of 9', (saved) => {
    expect(startAt({ search: '', saved, total: 9 })).toBe(0);
  });

  it('is the section of the address before the saved one', () => {
    expect(startAt({ search: '?section=2', saved: 5, total: 9 })).toBe(1);
  });

  it.each(['?section=0', '?section=10', '?section=x', '?section=', '?section=1e0'])('does not follow %s', (search) => {
    expect(placeInAddress(search, 9)).toBeNull();
    expect(startAt({ search, saved: 5, total: 9 })).toBe(5);
  });
});

describe('turning', () => {
  it('stays within the sections', () => {
    expect([-1, 0, 8, 9].map((i) => bounded(i, 9))).toEqual([0, 0, 8, 8]);
    expect(bounded(3, 0)).toBe(0);
  });

  it('writes the section into the address and keeps the rest', () => {
    expect(addressAt({ pathname: '/books/walden', search: '?from=home&section=1', hash: '#x' }, 4)).toBe('/books/walden?from=home&section=5#x');
  });
});

it('sets a body’s own headings under the section’s', () => {
  expect(raiseHeadings('<h4>A</h4><p>h4</p><h4 id="b">B</h4>')).toBe('<h3>A</h3><p>h4</p><h3 id="b">B</h3>');
});
