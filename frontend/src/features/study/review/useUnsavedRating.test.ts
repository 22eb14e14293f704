import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useUnsavedRating } from '@/features/study/review/useUnsavedRating';
import type { CardAnswer } from '@/shared/study/records';
import { studyStore } from '@/shared/study/studyStore';

// Nothing is sent: no request is needed.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

const GOOD: CardAnswer = { id: 1, cardId: 9, rating: 3, at: 1 };
let stored: CardAnswer[];

beforeEach(() => {
  vi.useFakeTimers();
  stored = [];
  vi.spyOn(studyStore, 'addAnswer').mockImplementation((answer) => {
    stored.push(answer);
    return Promise.resolve();
  });
});
afterEach(() => vi.useRealTimers());

function open() {
  const onSaved = vi.fn();
  const initialProps: { unsaved: CardAnswer | null } = { unsaved: GOOD };
  const view = renderHook(({ unsaved }: typeof initialProps) => useUnsavedRating(unsaved, onSaved), { initialProps });
  return { ...view, onSaved };
}

describe('the last rating (study.review-screen)', () => {
  it('is stored after five seconds', () => {
    const { onSaved } = open();
    vi.advanceTimersByTime(4_999);
    expect(stored).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(stored).toEqual([GOOD]);
    expect(onSaved).toHaveBeenCalledWith(GOOD.id);
  });

  it('is not stored once it was taken back', () => {
    const { rerender, unmount } = open();
    rerender({ unsaved: null });
    vi.advanceTimersByTime(10_000);
    unmount();
    expect(stored).toEqual([]);
  });

  it('is stored before another one follows', () => {
    const { result } = open();
    result.current();
    result.current();
    expect(stored).toEqual([GOOD]);
  });

  it('is stored when the page is left', () => {
    const { unmount } = open();
    unmount();
    expect(stored).toEqual([GOOD]);
  });

  it('is stored when the tab is closed or hidden', () => {
    open();
    window.dispatchEvent(new Event('pagehide'));
    expect(stored).toEqual([GOOD]);
    open();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(stored).toEqual([GOOD, GOOD]);
  });
});
