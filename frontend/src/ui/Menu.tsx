import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';

interface Props {
  label: ReactNode;
  /** The button's accessible name, when `label` is a picture. */
  name?: string;
  buttonClass?: string;
  listClass?: string;
  /** A function gets whether the menu is open, to fetch data only then. */
  children: ReactNode | ((shown: boolean) => ReactNode);
}

/**
 * A button that discloses links (the disclosure pattern for site navigation, not a menu of commands). Closes on Escape, on a
 * press elsewhere, when the focus leaves, and after a navigation.
 */
export function Menu({ label, name, buttonClass, listClass = 'menu__list', children }: Props) {
  const [open, setOpen] = useState(false);
  const [openedAt, setOpenedAt] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const { key } = useLocation();
  const shown = open && openedAt === key;

  useEffect(() => {
    if (!shown) return;
    const onPress = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    const onFocus = (event: FocusEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey);
    };
  }, [shown]);

  return (
    <div className="menu" ref={root}>
      <button
        ref={button}
        type="button"
        className={buttonClass}
        aria-expanded={shown}
        aria-controls={listId}
        aria-label={name}
        onClick={() => {
          setOpen(!shown);
          setOpenedAt(key);
        }}
      >
        {label}
      </button>
      <div id={listId} className={listClass} hidden={!shown}>
        {typeof children === 'function' ? children(shown) : children}
      </div>
    </div>
  );
}
