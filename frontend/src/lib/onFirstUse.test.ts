import { expect, it, vi } from 'vitest';
import { onFirstUse } from '@/lib/onFirstUse';

it('makes a value at its first use, once', () => {
  const make = vi.fn(() => ({}));
  const value = onFirstUse(make);
  expect(make).not.toHaveBeenCalled();
  expect(value()).toBe(value());
  expect(make).toHaveBeenCalledOnce();
});
