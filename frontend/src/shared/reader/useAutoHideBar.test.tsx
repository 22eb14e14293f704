import { act, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAutoHideBar } from '@/shared/reader/useAutoHideBar';

let frames: FrameRequestCallback[] = [];
let pageHeight = 5000;

beforeEach(() => {
  frames = [];
  pageHeight = 5000;
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  Object.defineProperty(document.documentElement, 'scrollHeight', { configurable: true, get: () => pageHeight });
  window.scrollY = 0;
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document.documentElement, 'scrollHeight');
});

function Reader({ section = 1 }: { section?: number }) {
  const bar = useRef<HTMLDivElement>(null);
  useAutoHideBar(bar);
  return (
    <div>
      <div ref={bar} data-testid="bar">
        <button type="button">Next section</button>
      </div>
      <h2 key={section} className="reader__title">{`Section ${section}`}</h2>
    </div>
  );
}

const bar = () => screen.getByTestId('bar');
const isHidden = () => bar().classList.contains('reader__bar--hidden');

/** Scrolls to this many pixels from the top, and runs the next animation frame. */
function scrollTo(y: number): void {
  window.scrollY = y;
  act(() => {
    fireEvent.scroll(window);
    for (const frame of frames.splice(0)) frame(0);
  });
}

describe('the reader’s bar', () => {
  it('hides on scrolling down and comes back on scrolling up', () => {
    render(<Reader />);
    scrollTo(400);
    expect(isHidden()).toBe(true);
    scrollTo(380);
    expect(isHidden()).toBe(false);
  });

  it('ignores a tremble', () => {
    render(<Reader />);
    scrollTo(400);
    scrollTo(395);
    expect(isHidden()).toBe(true);
  });

  it('is there at the top and at the end', () => {
    render(<Reader />);
    scrollTo(400);
    scrollTo(5);
    expect(isHidden()).toBe(false);
    scrollTo(400);
    scrollTo(pageHeight - window.innerHeight - 100);
    expect(isHidden()).toBe(false);
  });

  it('stays while it is pressed, until the press ends', () => {
    render(<Reader />);
    fireEvent.pointerDown(screen.getByRole('button'));
    scrollTo(400);
    expect(isHidden()).toBe(false);
    fireEvent.pointerUp(window);
    scrollTo(800);
    expect(isHidden()).toBe(true);
    fireEvent.pointerDown(bar());
    scrollTo(760);
    fireEvent.pointerCancel(window);
    scrollTo(1200);
    expect(isHidden()).toBe(true);
  });

  it('stays while the keyboard’s focus is in it, and not for a focus that a press left there', () => {
    render(<Reader />);
    const button = screen.getByRole('button');
    const matches = vi.spyOn(bar(), 'querySelector').mockImplementation((selector) => (selector === ':focus-visible' ? button : null));
    scrollTo(400);
    expect(isHidden()).toBe(false);
    matches.mockImplementation(() => null);
    scrollTo(800);
    expect(isHidden()).toBe(true);
  });

  it('comes back with the focus', () => {
    render(<Reader />);
    scrollTo(400);
    act(() => screen.getByRole('button').focus());
    expect(isHidden()).toBe(false);
  });

  it('comes back with another section, however that scrolls', () => {
    const { rerender } = render(<Reader />);
    scrollTo(400);
    rerender(<Reader section={2} />);
    scrollTo(900);
    expect(isHidden()).toBe(false);
    scrollTo(1300);
    expect(isHidden()).toBe(true);
  });
});
