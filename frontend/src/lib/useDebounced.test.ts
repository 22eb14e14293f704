import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { DEBOUNCE, useDebounced } from '@/lib/useDebounced';

it('a debounced text follows once nothing was typed for the debounce time', () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook(({ text }) => useDebounced(text), { initialProps: { text: '' } });
  for (const text of ['s', 'st', 'sto']) {
    rerender({ text });
    act(() => {
      vi.advanceTimersByTime(DEBOUNCE - 1);
    });
    expect(result.current).toBe('');
  }
  act(() => {
    vi.advanceTimersByTime(1);
  });
  expect(result.current).toBe('sto');
  vi.useRealTimers();
});
