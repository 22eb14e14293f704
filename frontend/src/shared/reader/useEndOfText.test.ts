import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useEndOfText } from '@/shared/reader/useEndOfText';

const end = document.createElement('span');
/** Where the end of the text is, in pixels from the top of the screen. */
let top: number;
let report: (isVisible: boolean) => void;
const onRead = vi.fn();

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        report = (isIntersecting) => act(() => callback([{ isIntersecting }]));
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.spyOn(end, 'getBoundingClientRect').mockImplementation(() => ({ top }) as DOMRect);
});

const open = () => renderHook(({ arrivals }) => useEndOfText({ current: end }, true, onRead, arrivals), { initialProps: { arrivals: 0 } });

describe('the end of a text', () => {
  it('is read when it comes into view', () => {
    top = window.innerHeight + 100;
    open();
    report(true);
    expect(onRead).toHaveBeenCalledOnce();
  });

  it('that is in view on arrival is read when the reader scrolls', () => {
    top = 100;
    open();
    report(true);
    expect(onRead).not.toHaveBeenCalled();
    window.dispatchEvent(new Event('scroll'));
    expect(onRead).not.toHaveBeenCalled();
    window.dispatchEvent(new Event('wheel'));
    window.dispatchEvent(new Event('scroll'));
    expect(onRead).toHaveBeenCalledOnce();
  });

  it('that the page has scrolled into view by itself is not read by that', () => {
    top = window.innerHeight + 100;
    const { rerender } = open();
    top = 100;
    rerender({ arrivals: 1 });
    report(true);
    window.dispatchEvent(new Event('scroll'));
    expect(onRead).not.toHaveBeenCalled();
    report(false);
    report(true);
    expect(onRead).toHaveBeenCalledOnce();
  });
});
