import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Player } from '@/shared/listening/listening';
import { commandOf } from '@/features/reading-progress/listening/keys';

afterEach(() => {
  document.body.innerHTML = '';
});

/** Presses a key; returns the player call that it causes. */
function press(key: string, html = '', more: KeyboardEventInit = {}): string | null {
  document.body.innerHTML = html;
  const target = document.body.querySelector('[data-here]') ?? document.body.firstElementChild ?? document.body;
  let done: string | null = null;
  const player = new Proxy({} as Player, {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        (done = `${String(name)}(${given.join()})`),
  });
  const heard = vi.fn((event: KeyboardEvent) => commandOf(event)?.(player));
  document.addEventListener('keydown', heard, { once: true });
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
  expect(heard).toHaveBeenCalledOnce();
  return done;
}

describe('the player’s keys', () => {
  it.each([
    [' ', 'toggle()'],
    ['k', 'toggle()'],
    ['K', 'toggle()'],
    ['j', 'skip(-15)'],
    ['l', 'skip(15)'],
    ['m', 'toggleMute()'],
    ['<', 'stepSpeed(-1)'],
    ['>', 'stepSpeed(1)'],
    ['x', null],
    ['ArrowRight', null],
  ])('%s: %s', (key, done) => expect(press(key)).toBe(done));

  it('goes by paragraphs with shift', () => {
    expect(press('J', '', { shiftKey: true })).toBe('step(-1,paragraph)');
    expect(press('L', '', { shiftKey: true })).toBe('step(1,paragraph)');
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }])('leaves %o to the browser', (more) => {
    expect(press('k', '', more)).toBeNull();
  });

  it.each(['<input>', '<input type="search">', '<textarea></textarea>', '<select></select>', '<div contenteditable></div>', '<video></video>'])(
    'types in %s',
    (html) => {
      expect(['k', 'j', 'l', 'm', ' '].map((key) => press(key, html))).toEqual([null, null, null, null, null]);
    },
  );

  it.each(['<button></button>', '<a href="/"></a>', '<summary></summary>'])('presses %s with the space bar', (html) => {
    expect(press(' ', html)).toBeNull();
    expect(press('k', html)).toBe('toggle()');
  });

  it('play with the space bar on the seek bar', () => {
    expect(press(' ', '<input type="range">')).toBe('toggle()');
  });

  it('are ignored in a dialog, except the player’s own', () => {
    expect(press('k', '<dialog open></dialog>')).toBeNull();
    expect(press('k', '<dialog open class="player-panel"></dialog>')).toBe('toggle()');
  });
});
