import { expect, it, vi } from 'vitest';
import { repeatEarlyPress } from '@/app/repeatPress';

/** Renders this HTML into #root and returns its buttons. */
function draw(html: string): HTMLButtonElement[] {
  document.body.innerHTML = `<div id="root">${html}</div>`;
  return [...document.querySelectorAll('button')];
}

/** Replaces the buttons, as the app does when it renders, and returns how often each was pressed once the document is marked. */
async function appDraws(html: string): Promise<number[]> {
  const presses = draw(html).map((button) => {
    const press = vi.fn();
    button.addEventListener('click', press);
    return press;
  });
  document.documentElement.dataset['app'] = 'busy';
  await Promise.resolve();
  document.documentElement.dataset['app'] = 'ready';
  await Promise.resolve();
  return presses.map((press) => press.mock.calls.length);
}

const TWO = '<button>Add to library</button><button aria-label="Next idea"><svg></svg></button><button>Add to library</button>';

it('repeats the last early press once, on the app’s button that stands in its place', async () => {
  const buttons = draw(TWO);
  repeatEarlyPress();
  buttons[1]?.querySelector('svg')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  buttons[2]?.click();
  expect(buttons[2]?.getAttribute('aria-busy')).toBe('true');
  expect(await appDraws(TWO)).toEqual([0, 0, 1]);
});

it('finds an icon’s button by its label, and presses nothing where the app has no such button', async () => {
  draw(TWO)[1]?.click();
  repeatEarlyPress();
  expect(await appDraws(TWO), 'before it was noted').toEqual([0, 0, 0]);
  const [, next] = draw(TWO);
  repeatEarlyPress();
  next?.click();
  expect(await appDraws('<button>Listen</button>')).toEqual([0]);
});

it('leaves the app’s own presses alone', async () => {
  draw(TWO);
  repeatEarlyPress();
  expect(await appDraws(TWO)).toEqual([0, 0, 0]);
  const press = vi.fn();
  const [button] = draw('<button>Listen</button>');
  button?.addEventListener('click', press);
  button?.click();
  document.documentElement.dataset['app'] = 'busy';
  await Promise.resolve();
  expect(press).toHaveBeenCalledOnce();
});
