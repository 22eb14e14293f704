import { useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from '@/ui/IconButton';

interface Props {
  onClose: () => void;
  title: string;
  /** `centre` for a question, a side for a panel of 480 px. */
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
const ACTION = ':is(button, a[href]):not(.dialog__close, .button--harm, [type="submit"])';

/**
 * Focuses what a dialog opens for: an element marked for it, else the first field (of radio buttons the checked one), else the
 * first action that is not destructive, else the title. Never the close button, which the browser would choose. Elements that
 * can't take the focus, because they are hidden, are passed over (site.dialog-focus).
 */
function focusFirst(dialog: HTMLDialogElement): void {
  const fields = [...dialog.querySelectorAll<HTMLElement>(FIELD)].map((field) => {
    const isRadio = field instanceof HTMLInputElement && field.type === 'radio';
    return (isRadio ? dialog.querySelector<HTMLElement>(`input[name="${CSS.escape(field.name)}"]:checked`) : null) ?? field;
  });
  const all = (selector: string) => dialog.querySelectorAll<HTMLElement>(selector);
  for (const element of [...all('[data-first-focus]'), ...fields, ...all(ACTION), ...all('.dialog__title')]) {
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

/**
 * Keeps the focus of an open dialog on something useful: content that arrives while its title has the focus takes it, and so does
 * the content that replaces the focused element, as in the next of several steps. Returns the function that stops it.
 */
function keepFocus(dialog: HTMLDialogElement): () => void {
  let last = document.activeElement;
  const onFocus = ({ target }: FocusEvent) => {
    last = target as Element;
  };
  const observer = new MutationObserver(() => {
    const at = document.activeElement;
    const isLost = (at === document.body || at === dialog) && last !== null && !dialog.contains(last);
    if (isLost || (at !== null && at === dialog.querySelector('.dialog__title'))) focusFirst(dialog);
  });
  dialog.addEventListener('focusin', onFocus);
  observer.observe(dialog, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    dialog.removeEventListener('focusin', onFocus);
  };
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
    const stop = keepFocus(dialog);
    return () => {
      stop();
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
