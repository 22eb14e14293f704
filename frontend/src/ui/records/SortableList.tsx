import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { Icon } from '@/ui/Icon';

interface Props<Item> {
  /** The list's accessible name: 'Books in this collection'. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** Renders an item; by default its name. */
  children?: (item: Item) => ReactNode;
  onChange: (items: readonly Item[]) => void;
  /** Removes an item. Without it items can't be removed. */
  onRemove?: (item: Item) => void;
}

/** A copy of the list with the item at index `from` moved to index `to`. */
const moved = <Item,>(items: readonly Item[], from: number, to: number): readonly Item[] => {
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), items[from] as Item, ...rest.slice(to)];
};

/**
 * A list that can be reordered: an item is dragged by its handle, or moved with the arrow keys, Home and End while the handle has
 * the focus. Each move is announced.
 */
export function SortableList<Item>({ label, items, keyOf, nameOf, children = nameOf, onChange, onRemove }: Props<Item>) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const refocus = useRef<string | null>(null);

  // The browser removes the focus from an element that is moved in the DOM.
  useLayoutEffect(() => {
    if (refocus.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(refocus.current)}"]`)?.focus();
    refocus.current = null;
  });

  const move = (from: number, to: number) => {
    const item = items[from];
    const place = Math.max(0, Math.min(to, items.length - 1));
    if (item === undefined || place === from) return;
    refocus.current = keyOf(item);
    setSaid(`${nameOf(item)}: ${place + 1} of ${items.length}`);
    onChange(moved(items, from, place));
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const places: Readonly<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(at, to);
  };
  /** The index at which dropping the item at this height would put it. */
  const placeAt = (y: number, from: number) =>
    [...(list.current?.children ?? [])].filter((row, at) => {
      const { top, height } = row.getBoundingClientRect();
      return at !== from && y > top + height / 2;
    }).length;
  const onPointerMove = (event: PointerEvent, at: number) => {
    if (dragged !== null) move(at, placeAt(event.clientY, at));
  };

  return (
    <div className="sortable">
      <ol className="sortable__list" ref={list} aria-label={label}>
        {items.map((item, at) => {
          const key = keyOf(item);
          return (
            <li key={key} className={dragged === key ? 'sortable__item sortable__item--dragged' : 'sortable__item'}>
              <button
                type="button"
                className="sortable__handle"
                data-handle={key}
                aria-label={`Move ${nameOf(item)}, ${at + 1} of ${items.length}`}
                aria-keyshortcuts="ArrowUp ArrowDown Home End"
                onKeyDown={(event) => onKeyDown(event, at)}
                onPointerDown={(event) => {
                  if (event.button !== 0) return;
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDragged(key);
                }}
                onPointerMove={(event) => onPointerMove(event, at)}
                onPointerUp={() => setDragged(null)}
                onPointerCancel={() => setDragged(null)}
                onLostPointerCapture={() => setDragged(null)}
              >
                <Icon name="menu" />
              </button>
              <span className="sortable__body">{children(item)}</span>
              {onRemove ? (
                <button type="button" className="sortable__remove" aria-label={`Remove ${nameOf(item)}`} onClick={() => onRemove(item)}>
                  <Icon name="close" />
                </button>
              ) : null}
            </li>
          );
        })}
      </ol>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}
