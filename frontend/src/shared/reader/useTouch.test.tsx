import { fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useTouch } from '@/shared/reader/useTouch';

const steps = vi.fn();
beforeEach(() => {
  steps.mockClear();
  window.innerWidth = 390;
});

function Reader() {
  const reader = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  useTouch(reader, bar, steps);
  return (
    <div ref={reader}>
      <div ref={bar} data-testid="bar" />
      <section className="reader__section">
        <p>Text</p>
        <a href="#note">Note</a>
      </section>
    </div>
  );
}

/** jsdom's pointer events lack pointer properties. */
function pointer(type: string, target: Element, x: number, y: number, pointerType = 'touch'): void {
  const event = new MouseEvent(type, { bubbles: true, clientX: x, clientY: y });
  Object.assign(event, { pointerType, isPrimary: true });
  fireEvent(target, event);
}

function swipe(from: number, to: number, y = 0, pointerType = 'touch'): void {
  const text = screen.getByText('Text');
  pointer('pointerdown', text, from, 300, pointerType);
  pointer('pointerup', text, to, 300 + y, pointerType);
}

const isHidden = () => screen.getByTestId('bar').classList.contains('reader__bar--hidden');

describe('touching the text', () => {
  it('turns with a swipe, and not with a scroll or a mouse', () => {
    render(<Reader />);
    swipe(300, 100);
    expect(steps).toHaveBeenLastCalledWith(1);
    swipe(100, 300);
    expect(steps).toHaveBeenLastCalledWith(-1);
    swipe(300, 200, 400);
    swipe(300, 100, 0, 'mouse');
    expect(steps).toHaveBeenCalledTimes(2);
  });

  it('leaves what begins at the edges to the system', () => {
    render(<Reader />);
    swipe(5, 250);
    swipe(385, 100);
    expect(steps).not.toHaveBeenCalled();
  });

  it('hides the bar with a tap, and brings it back; a link, a mouse and a selection do not', () => {
    render(<Reader />);
    const text = screen.getByText('Text');
    pointer('click', text, 200, 300);
    expect(isHidden()).toBe(true);
    pointer('click', screen.getByText('Note'), 200, 300);
    pointer('click', text, 200, 300, 'mouse');
    expect(isHidden()).toBe(true);
    const selection = vi.spyOn(window, 'getSelection').mockReturnValue({ isCollapsed: false } as Selection);
    pointer('click', text, 200, 300);
    expect(isHidden()).toBe(true);
    selection.mockRestore();
    pointer('click', text, 200, 300);
    expect(isHidden()).toBe(false);
  });
});
