import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useSearchText } from '@/lib/useSearchText';

const open = (value = '') => renderHook((props: { value: string }) => useSearchText(props.value), { initialProps: { value } });

describe('the text of a search field', () => {
  it('follows the URL', () => {
    const { result, rerender } = open('milk');
    expect(result.current.text).toBe('milk');
    rerender({ value: '' });
    expect(result.current.text).toBe('');
  });

  it('keeps what was typed while its own searches came into the URL', () => {
    const { result, rerender } = open();
    act(() => result.current.setText('milk'));
    act(() => result.current.sent('milk'));
    act(() => result.current.setText('milk jam'));
    act(() => result.current.sent('milk jam'));
    act(() => result.current.setText('milk jam o'));
    for (const value of ['milk', 'milk jam']) {
      rerender({ value });
      expect(result.current).toMatchObject({ text: 'milk jam o', searched: 'milk jam' });
    }
  });

  it('follows a way back to one of its own searches', () => {
    const { result, rerender } = open();
    act(() => result.current.setText('milk'));
    act(() => result.current.sent('milk'));
    rerender({ value: 'milk' });
    act(() => result.current.setText('jam'));
    act(() => result.current.sent('jam'));
    rerender({ value: 'jam' });
    rerender({ value: 'milk' });
    expect(result.current.text).toBe('milk');
  });

  it('keeps a space at its end', () => {
    const { result, rerender } = open();
    act(() => result.current.setText('milk '));
    rerender({ value: 'milk' });
    expect(result.current.text).toBe('milk ');
  });
});
