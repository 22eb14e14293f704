import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SortableList } from '@/ui/SortableList';

const ROW = 40;
const onChange = vi.fn();
let listTop: number;
let listHeight: number;

function Letters({ first = ['A', 'B', 'C', 'D'] }: { first?: readonly string[] }) {
  const [items, setItems] = useState(first);
  return (
    <SortableList
      label="Letters"
      items={items}
      keyOf={(letter) => letter.toLowerCase()}
      nameOf={(letter) => letter}
      onChange={(now, item, index) => {
        onChange(now.join(''), item, index);
        setItems(now);
      }}
      onRemove={(letter) => setItems(items.filter((other) => other !== letter))}
    />
  );
}

const order = () =>
  within(screen.getByRole('list', { name: 'Letters' }))
    .getAllByRole('listitem')
    .map((row) => row.querySelector('.sortable__body')?.textContent)
    .join('');
const handle = (letter: string) => screen.getByRole('button', { name: new RegExp(`^Move ${letter}, \\d of \\d$`) });
/** Moves the pointer on a handle, to a height of the list. */
const point = (letter: string, type: 'pointerDown' | 'pointerMove' | 'pointerUp', y: number) =>
  fireEvent[type](handle(letter), { clientY: y, button: 0, isPrimary: true, pointerId: 1 });
/** Where rows are drawn, by letter, in pixels from their places. */
const shifts = (): Record<string, string> =>
  Object.fromEntries(
    [...document.querySelectorAll<HTMLElement>('.sortable__item')].map((row) => [
      row.querySelector('.sortable__body')?.textContent ?? '',
      row.style.transform.replace(/^translateY\((.*)px\)$/, '$1'),
    ]),
  );

beforeEach(() => {
  onChange.mockClear();
  listTop = 0;
  listHeight = 4 * ROW;
  // jsdom lays nothing out: the rows are 40 pixels high, from the upper edge of the screen.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    if (this.matches('ol')) return new DOMRect(0, listTop, 300, listHeight);
    const at = this.matches('li') && this.parentElement ? [...this.parentElement.children].indexOf(this) : 0;
    return new DOMRect(0, at * ROW, 300, ROW);
  });
  Object.assign(Element.prototype, { setPointerCapture: () => undefined });
});
afterEach(() => vi.restoreAllMocks());

describe('a list that is put in an order', () => {
  it('is dragged by the handles: the others make room, and the drop is one change', () => {
    render(<Letters />);
    point('A', 'pointerDown', 20);
    point('A', 'pointerMove', 65);
    expect(shifts()).toEqual({ A: '45', B: '-40', C: '0', D: '0' });
    point('A', 'pointerMove', 105);
    expect(shifts()).toEqual({ A: '85', B: '-40', C: '-40', D: '0' });
    expect(order()).toBe('ABCD');
    point('A', 'pointerUp', 105);
    expect(order()).toBe('BCAD');
    expect(onChange.mock.calls).toEqual([['BCAD', 'A', 2]]);
    expect(shifts()).toEqual({ B: '', C: '', A: '', D: '' });
    expect(screen.getByRole('status')).toHaveTextContent('A: 3 of 4');
    expect(handle('A')).toHaveFocus();
  });

  it('takes a quick drop where the pointer is, with its last moves not rendered yet', () => {
    render(<Letters />);
    point('A', 'pointerDown', 20);
    act(() => {
      point('A', 'pointerMove', 65);
      point('A', 'pointerUp', 105);
    });
    expect(onChange.mock.calls).toEqual([['BCAD', 'A', 2]]);
    onChange.mockClear();
    point('D', 'pointerDown', 140);
    point('D', 'pointerMove', 95);
    point('D', 'pointerUp', 10);
    expect(onChange.mock.calls).toEqual([['DBCA', 'D', 0]]);
  });

  it('stays when a handle is only pressed', () => {
    render(<Letters />);
    point('A', 'pointerDown', 20);
    point('A', 'pointerMove', 22);
    point('A', 'pointerUp', 22);
    expect(onChange).not.toHaveBeenCalled();
    expect(shifts()).toEqual({ A: '', B: '', C: '', D: '' });
  });

  it('keeps a row at the pointer when the page scrolls below it', async () => {
    render(<Letters />);
    point('A', 'pointerDown', 200);
    point('A', 'pointerMove', 245);
    expect(shifts()).toEqual({ A: '45', B: '-40', C: '0', D: '0' });
    // The wheel scrolls, and the pointer stands still.
    listTop = -40;
    await vi.waitFor(() => expect(shifts()).toEqual({ A: '85', B: '-40', C: '-40', D: '0' }));
    point('A', 'pointerUp', 245);
    expect(onChange.mock.calls).toEqual([['BCAD', 'A', 2]]);
  });

  it('is dragged upwards too', () => {
    render(<Letters />);
    point('D', 'pointerDown', 140);
    point('D', 'pointerMove', 50);
    expect(shifts()).toEqual({ A: '0', B: '40', C: '40', D: '-90' });
    point('D', 'pointerUp', 50);
    expect(order()).toBe('ADBC');
  });

  it('stays as it is when Escape is pressed, when the pointer is lost, and when the row returns', () => {
    render(<Letters />);
    point('A', 'pointerDown', 20);
    point('A', 'pointerMove', 105);
    fireEvent.keyDown(handle('A'), { key: 'Escape' });
    point('A', 'pointerUp', 105);
    point('B', 'pointerDown', 60);
    point('B', 'pointerMove', 150);
    fireEvent.pointerCancel(handle('B'));
    point('C', 'pointerDown', 100);
    point('C', 'pointerMove', 20);
    point('C', 'pointerMove', 95);
    point('C', 'pointerUp', 95);
    expect(order()).toBe('ABCD');
    expect(onChange).not.toHaveBeenCalled();
  });

  it('keeps the order when a sync changes the rows during a drag', () => {
    const props = { label: 'Letters', keyOf: (letter: string) => letter, nameOf: (letter: string) => letter, onChange };
    const { rerender } = render(<SortableList {...props} items={['A', 'B', 'C']} />);
    point('A', 'pointerDown', 20);
    point('A', 'pointerMove', 105);
    rerender(<SortableList {...props} items={['C', 'A', 'B']} />);
    point('A', 'pointerUp', 105);
    expect(onChange).not.toHaveBeenCalled();
  });

  it('scrolls the page while a row is held at its edge, not beyond the list', async () => {
    const scrollBy = vi.fn();
    Object.assign(document.documentElement, { scrollBy });
    Object.defineProperty(document, 'scrollingElement', { configurable: true, value: document.documentElement });
    const someFrames = () => act(() => new Promise((resolve) => setTimeout(resolve, 80)));
    listHeight = 5_000;
    render(<Letters />);
    point('A', 'pointerDown', 20);
    point('A', 'pointerMove', window.innerHeight - 10);
    await vi.waitFor(() => expect(scrollBy).toHaveBeenCalledWith(0, 12));
    listHeight = 4 * ROW;
    await someFrames();
    scrollBy.mockClear();
    await someFrames();
    expect(scrollBy).not.toHaveBeenCalled();
    listHeight = 5_000;
    point('A', 'pointerUp', window.innerHeight - 10);
    await someFrames();
    expect(scrollBy).not.toHaveBeenCalled();
  });

  it('is put in order with the keys', async () => {
    render(<Letters />);
    handle('B').focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(order()).toBe('ACBD');
    expect(handle('B')).toHaveFocus();
    expect(screen.getByRole('status')).toHaveTextContent('B: 3 of 4');
    await userEvent.keyboard('{End}');
    expect(order()).toBe('ACDB');
    await userEvent.keyboard('{Home}{ArrowUp}');
    expect(order()).toBe('BACD');
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(order()).toBe('BACD');
  });

  it('has buttons for those who can neither drag nor press keys', async () => {
    render(<Letters />);
    await userEvent.click(handle('C'));
    expect(handle('C')).toHaveAttribute('aria-expanded', 'true');
    const move = (name: string) => within(screen.getByRole('group', { name: 'Move C' })).getByRole('button', { name });
    await userEvent.click(move('Up'));
    expect(order()).toBe('ACBD');
    expect(move('Up')).toHaveFocus();
    await userEvent.click(move('To the top'));
    expect(order()).toBe('CABD');
    expect(move('Up')).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(move('Up'));
    await userEvent.click(move('Down'));
    expect(order()).toBe('ACBD');
    await userEvent.click(move('To the end'));
    expect(order()).toBe('ABDC');
    await userEvent.click(handle('C'));
    expect(screen.queryByRole('group')).toBeNull();
  });

  it('shows these buttons with the keys, and not after a drag', async () => {
    render(<Letters />);
    point('A', 'pointerDown', 20);
    point('A', 'pointerMove', 105);
    point('A', 'pointerUp', 105);
    fireEvent.click(handle('A'), { detail: 1 });
    expect(handle('A')).toHaveAttribute('aria-expanded', 'false');
    handle('A').focus();
    await userEvent.keyboard('{Enter}');
    expect(handle('A')).toHaveAttribute('aria-expanded', 'true');
  });

  it('removes items', async () => {
    render(<Letters />);
    await userEvent.click(screen.getByRole('button', { name: 'Remove B' }));
    expect(order()).toBe('ACD');
  });
});
