import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { REST, useRested } from '@/lib/useRested';

it('is what was typed last, once typing has rested', () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook(({ text }) => useRested(text), { initialProps: { text: '' } });
  for (const text of ['s', 'st', 'sto']) {
    rerender({ text });
    act(() => {
      vi.advanceTimersByTime(REST - 1);
    });
    expect(result.current).toBe('');
  }
  act(() => {
    vi.advanceTimersByTime(1);
  });
  expect(result.current).toBe('sto');
  vi.useRealTimers();
});
