import '@/ui/sortable.css';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react';
import { Icon } from '@/ui/Icon';

interface Props<Item> {
  /** The list's accessible name: 'Books in this collection'. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** Renders an item; by default its name. */
  children?: (item: Item) => ReactNode;
  /** Called once for each move, with all items in their new order, the item that was moved, and its new index. */
  onChange: (items: readonly Item[], item: Item, index: number) => void;
  /** Removes an item. Without it items can't be removed. */
  onRemove?: (item: Item) => void;
}

/** A copy of the list with the item at index `from` moved to index `to`. */
const moved = <Item,>(items: readonly Item[], from: number, to: number): readonly Item[] => {
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), items[from] as Item, ...rest.slice(to)];
};

/** How far a pressed handle is moved before it is a drag, in pixels: less is a press. */
const DRAG_FROM = 4;
/** How near to the upper or lower edge of the screen a drag scrolls, and by how much a frame, in pixels. */
const EDGE = 72;
const SCROLL_STEP = 12;

/** Where the rows of the list are at the beginning of a drag, in pixels from its upper edge. */
interface Press {
  key: string;
  from: number;
  /** The pointer, from the list's upper edge. */
  y: number;
  rows: readonly { top: number; height: number }[];
}

interface Drag {
  key: string;
  from: number;
  to: number;
  /** How far the row is from its place, in pixels. */
  by: number;
  /** The height of the row, in pixels. */
  height: number;
}

/** The element that scrolls the list: a dialog, or the page. */
function scrollerOf(list: HTMLElement): Element | null {
  for (let box = list.parentElement; box; box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight && /^(?:auto|scroll)$/.test(getComputedStyle(box).overflowY)) return box;
  }
  return document.scrollingElement;
}

/** How far a row is moved aside while another one is dragged over it, in pixels. */
function asideBy({ from, to, height }: Drag, at: number): number {
  if (at > from && at <= to) return -height;
  return at < from && at >= to ? height : 0;
}

/**
 * Drags rows by their handles. The rows keep their places in the document until the drop: an element that is moved there loses the
 * pointer.
 */
function useDrag(list: RefObject<HTMLElement | null>, onDrop: (drag: Drag) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  /** The same, before it is rendered. */
  const latest = useRef<Drag | null>(null);
  const press = useRef<Press | null>(null);
  /** The pointer's height on the screen, in pixels. */
  const pointer = useRef(0);
  /** The press has become a drag: the click at its end is none. */
  const wasDragged = useRef(false);

  const topOf = () => list.current?.getBoundingClientRect().top ?? 0;
  const change = (now: Drag | null) => {
    latest.current = now;
    setDrag(now);
  };
  /** Moves the row to the pointer. Returns the drag as it is now; null while the handle is only pressed. */
  const follow = (): Drag | null => {
    const start = press.current;
    const row = start?.rows[start.from];
    if (!start || !row) return null;
    const by = pointer.current - topOf() - start.y;
    if (!wasDragged.current && Math.abs(by) < DRAG_FROM) return null;
    wasDragged.current = true;
    const middle = row.top + row.height / 2 + by;
    const to = start.rows.filter(({ top, height }, at) => at !== start.from && top + height / 2 < middle).length;
    // Each frame of a drag follows: nothing is rendered while the pointer and the page stand still.
    if (latest.current?.by !== by) change({ key: start.key, from: start.from, to, by, height: row.height });
    return latest.current;
  };
  const end = () => {
    press.current = null;
    change(null);
  };

  // A list that is longer than the screen scrolls while a row is held at its edge.
  const isDragging = drag !== null;
  const scroll = useEffectEvent(() => {
    if (!list.current) return;
    // Not beyond the list.
    const { top, bottom } = list.current.getBoundingClientRect();
    const lower = window.innerHeight - EDGE;
    const by = pointer.current < EDGE && top < EDGE ? -SCROLL_STEP : pointer.current > lower && bottom > lower ? SCROLL_STEP : 0;
    if (by !== 0) scrollerOf(list.current)?.scrollBy(0, by);
    // In every frame: the wheel scrolls the list too.
    follow();
  });
  useEffect(() => {
    if (!isDragging) return;
    let frame = requestAnimationFrame(function next() {
      scroll();
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [isDragging]);

  return {
    drag,
    cancel: end,
    /** Whether a click of the pointer ends a drag. */
    isEndOfDrag: () => wasDragged.current,
    /** The props of the handle of a row. */
    handle: (key: string, from: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0 || !event.isPrimary) return;
        wasDragged.current = false;
        pointer.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
        const top = topOf();
        const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
        press.current = { key, from, y: event.clientY - top, rows: rows.map((row) => ({ top: row.top - top, height: row.height })) };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (!press.current) return;
        pointer.current = event.clientY;
        follow();
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (!press.current) return;
        // The last moves may not be rendered yet, or have no event of their own.
        pointer.current = event.clientY;
        const drop = follow();
        if (drop) onDrop(drop);
        end();
      },
      onPointerCancel: end,
      onLostPointerCapture: end,
    }),
  };
}

/**
 * A list that can be reordered: an item is dragged by its handle, or moved with the arrow keys, Home and End while the handle has
 * the focus. A press on the handle shows buttons that move it, for those who can neither drag nor press keys. Each move is announced.
 */
export function SortableList<Item>({ label, items, keyOf, nameOf, children = nameOf, onChange, onRemove }: Props<Item>) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  /** The item whose buttons are shown. */
  const [open, setOpen] = useState<string | null>(null);
  /** The name of the control that has the focus after a move: the browser removes it from an element that is moved in the document. */
  const refocus = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (refocus.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-control="${CSS.escape(refocus.current)}"]`)?.focus();
    refocus.current = null;
  });

  const move = (from: number, to: number, control = 'handle') => {
    const item = items[from];
    const place = Math.max(0, Math.min(to, items.length - 1));
    if (item === undefined || place === from) return;
    refocus.current = `${control} ${keyOf(item)}`;
    setSaid(`${nameOf(item)}: ${place + 1} of ${items.length}`);
    onChange(moved(items, from, place), item, place);
  };
  const { drag, cancel, isEndOfDrag, handle } = useDrag(list, ({ key, from, to }) => {
    const item = items[from];
    // Another device may have changed the list meanwhile.
    if (item !== undefined && keyOf(item) === key) move(from, to);
  });
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (event.key === 'Escape' && drag) {
      event.preventDefault();
      cancel();
      return;
    }
    const places: Readonly<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 };
    const to = places[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(at, to);
  };

  return (
    <div className="sortable">
      <ol className={drag ? 'sortable__list sortable__list--dragging' : 'sortable__list'} ref={list} aria-label={label}>
        {items.map((item, at) => {
          const key = keyOf(item);
          const isDragged = drag?.key === key;
          const by = drag ? (isDragged ? drag.by : asideBy(drag, at)) : 0;
          return (
            <li
              key={key}
              className={isDragged ? 'sortable__item sortable__item--dragged' : 'sortable__item'}
              style={drag ? { transform: `translateY(${by}px)` } : undefined}
            >
              <button
                type="button"
                className="sortable__handle"
                data-control={`handle ${key}`}
                aria-label={`Move ${nameOf(item)}, ${at + 1} of ${items.length}`}
                aria-keyshortcuts="ArrowUp ArrowDown Home End"
                aria-expanded={open === key}
                aria-controls={`${id}-${key}`}
                onKeyDown={(event) => onKeyDown(event, at)}
                onClick={({ detail }) => {
                  const isKey = detail === 0;
                  if (isKey || !isEndOfDrag()) setOpen(open === key ? null : key);
                }}
                {...handle(key, at)}
              >
                <Icon name="menu" />
              </button>
              <div className="sortable__body">{children(item)}</div>
              {onRemove ? (
                <button
                  type="button"
                  className="sortable__remove"
                  data-control={`remove ${key}`}
                  aria-label={`Remove ${nameOf(item)}`}
                  onClick={() => onRemove(item)}
                >
                  <Icon name="close" />
                </button>
              ) : null}
              <div className="sortable__moves" id={`${id}-${key}`} role="group" aria-label={`Move ${nameOf(item)}`} hidden={open !== key}>
                {open === key ? <Moves itemKey={key} at={at} last={items.length - 1} onMove={(to, control) => move(at, to, control)} /> : null}
              </div>
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

interface MovesProps {
  itemKey: string;
  /** The item's index, and that of the last one. */
  at: number;
  last: number;
  onMove: (to: number, control: string) => void;
}

/** The buttons that move an item. */
function Moves({ itemKey, at, last, onMove }: MovesProps) {
  const moves = [
    { label: 'Up', to: at - 1, isPossible: at > 0 },
    { label: 'Down', to: at + 1, isPossible: at < last },
    { label: 'To the top', to: 0, isPossible: at > 0 },
    { label: 'To the end', to: last, isPossible: at < last },
  ];
  return moves.map(({ label, to, isPossible }) => (
    <button
      key={label}
      type="button"
      className="sortable__move"
      data-control={`${label} ${itemKey}`}
      aria-disabled={!isPossible}
      onClick={() => {
        if (isPossible) onMove(to, label);
      }}
    >
      {label}
    </button>
  ));
}
