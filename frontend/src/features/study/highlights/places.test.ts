import { describe, expect, it } from 'vitest';
import { placeOf, sourcePath } from '@/features/study/highlights/places';
import type { Highlight } from '@/shared/study/records';
import { sampleHighlight } from '@test/study';

const at = (more: Partial<Highlight>) => placeOf(sampleHighlight(more));
const NOWHERE = { state: 'gone', section: null, start: null, end: null, text: null } as const;
const DELETED = { bookId: null, subid: null, summaryId: null };

describe('where a highlight is opened (study.highlights-page)', () => {
  it('is its section in the present text, the first one too', () => {
    expect(at({})).toEqual({ label: 'Key idea 1', path: '/books/walden?section=1#highlight-7' });
    expect(at({ place: { state: 'changed', section: 3, start: 0, end: 5, text: 'wood' } })).toEqual({
      label: 'Key idea 4',
      path: '/books/walden?section=4#highlight-7',
    });
  });

  it('is the section in which it was made, until the server has it', () => expect(at({ place: null })?.path).toBe('/books/walden?section=1#highlight-7'));

  it('is nowhere when its words are gone, or not found yet', () => {
    expect(at({ place: NOWHERE })).toBeNull();
    expect(at({ anchor: null, heard: { audio: 1 }, place: null })).toBeNull();
  });

  it('is the page of an own summary', () => {
    expect(at({ ...DELETED, summaryId: 5 })).toEqual({ label: 'Key idea 1', path: '/ai/5?section=1#highlight-7' });
    expect(at({ ...DELETED, summaryId: 5, part: 'source' })).toEqual({ label: 'Source', path: '/ai/5#source-highlight-7' });
  });

  it('is named for a quote', () => expect(at({ part: 'quote' })).toEqual({ label: 'Quote', path: '/books/walden' }));

  it('has no page when the source was deleted', () => {
    expect(sourcePath(DELETED)).toBeNull();
    expect(at(DELETED)).toEqual({ label: 'Key idea 1', path: null });
  });
});
