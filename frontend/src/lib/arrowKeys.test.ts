import { afterEach, describe, expect, it } from 'vitest';
import { arrowKeyStep } from '@/lib/arrowKeys';

describe('arrow keys', () => {
  afterEach(() => {
    document.body.innerHTML = '';
  });
  const press = (key: string, target: Element = document.body, more: KeyboardEventInit = {}) => {
    let step: number | null | undefined;
    const listen = (event: KeyboardEvent) => {
      step = arrowKeyStep(event);
    };
    document.addEventListener('keydown', listen, { once: true });
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
    return step;
  };

  it('turn by one', () => {
    expect(press('ArrowRight')).toBe(1);
    expect(press('ArrowLeft')).toBe(-1);
    expect(press('ArrowDown')).toBeNull();
  });

  it.each([{ altKey: true }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }])('belong to the browser with %o', (more) => {
    expect(press('ArrowRight', document.body, more)).toBeNull();
  });

  it.each(['<input>', '<input type="radio">', '<textarea></textarea>', '<select></select>', '<div contenteditable></div>'])('belong to %s', (html) => {
    document.body.innerHTML = html;
    expect(press('ArrowRight', document.body.firstElementChild ?? undefined)).toBeNull();
  });

  it('belong to an open dialog', () => {
    document.body.innerHTML = '<dialog open></dialog>';
    expect(press('ArrowRight')).toBeNull();
  });
});
