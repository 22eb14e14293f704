import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from '@/ui/IconButton';

interface Props {
  onClose: () => void;
  title: string;
  /** `centre` for a question, a side for a panel of 480 px, which comes from below on phones. */
  side?: 'centre' | 'left' | 'right';
  className?: string;
  /** No close button, and neither the backdrop nor Escape closes it: its content would be lost. */
  firm?: boolean;
  children: ReactNode;
}

/**
 * The browser's own modal dialog: it traps the focus, makes the rest of the page inert, closes on Escape and restores the focus.
 * A press on the backdrop closes it too. It needs no inline styles, so the content security policy stays strict.
 */
export function Dialog({ open, ...rest }: Props & { open: boolean }) {
  return open ? <OpenDialog {...rest} /> : null;
}

const FIELD = ':is(input:not([type="hidden"]), select, textarea):not(:disabled, [tabindex="-1"])';

/** What a dialog opens for, the first of each in the order of the page. Never the close button, which the browser would choose. */
const FIRST_FOCUS = [
  '[data-first-focus]',
  // Of radio buttons the checked one.
  `${FIELD}:not([type="radio"]:not(:checked))`,
  FIELD,
  // Not a destructive action.
  ':is(button, a[href]):not(.dialog__close, .button--harm, [type="submit"])',
  '.dialog__title',
];

/** Focuses what a dialog opens for, passing over what is hidden and can't take the focus (site.dialog-focus). */
function focusFirst(dialog: HTMLDialogElement): void {
  for (const element of FIRST_FOCUS.flatMap((selector) => [...dialog.querySelectorAll<HTMLElement>(selector)])) {
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

/**
 * Keeps the focus of an open dialog on something useful: content that arrives while its title has the focus takes it, and so does
 * the content that replaces the focused element, as in the next of several steps.
 */
function keepFocus(dialog: HTMLDialogElement): MutationObserver {
  let last = document.activeElement;
  dialog.addEventListener('focusin', () => {
    last = document.activeElement;
  });
  const observer = new MutationObserver(() => {
    const at = document.activeElement;
    if (at === last ? at?.matches('.dialog__title') : at === document.body && !dialog.contains(last)) focusFirst(dialog);
  });
  observer.observe(dialog, { childList: true, subtree: true });
  return observer;
}

function OpenDialog({ onClose, title, side = 'centre', className, firm = false, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  // A layout effect: on clean-up the element is still in the page, and closing it there restores the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    dialog.showModal();
    focusFirst(dialog);
    const observer = keepFocus(dialog);
    return () => {
      observer.disconnect();
      dialog.close();
    };
  }, []);

  return (
    // Escape does the same as a press on the backdrop; the dialog itself is not a control.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className={['dialog', side !== 'centre' && `dialog--${side}`, className].filter(Boolean).join(' ')}
      aria-labelledby={titleId}
      // Ignores the close event of a nested dialog, which React bubbles up to here, and of a dialog that is open again:
      // the browser sends the event later, and in development React mounts each dialog twice.
      onClose={(event) => {
        if (event.target === event.currentTarget && !event.currentTarget.open) onClose();
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!firm) onClose();
      }}
      onClick={(event) => {
        if (!firm && event.target === event.currentTarget) onClose();
      }}
    >
      <div className="dialog__body">
        <div className="dialog__head">
          <h2 className="dialog__title" id={titleId} tabIndex={-1}>
            {title}
          </h2>
          {firm ? null : <IconButton className="dialog__close" icon="close" label="Close" onClick={onClose} />}
        </div>
        {children}
      </div>
    </dialog>
  );
}
