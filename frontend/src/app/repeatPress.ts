// The buttons in the server's markup do nothing until the app has rendered. An earlier press is repeated then.

const labelOf = (button: Element): string => button.getAttribute('aria-label') ?? button.textContent.trim();

/** All buttons with this label, in document order. */
const alike = (label: string): HTMLButtonElement[] => [...document.querySelectorAll<HTMLButtonElement>('#root button')].filter((one) => labelOf(one) === label);

/** Remembers the last press before the app marks the document (ReadyMarker.tsx), then presses the app's button instead. */
export function repeatEarlyPress(): void {
  const root = document.documentElement;
  let pressed: { label: string; place: number } | undefined;
  const note = ({ target }: MouseEvent): void => {
    const button = target instanceof Element ? target.closest('#root button') : null;
    if (!button) return;
    const label = labelOf(button);
    pressed = { label, place: alike(label).findIndex((one) => one === button) };
    // Until the app has rendered, the button shows that it was pressed.
    button.setAttribute('aria-busy', 'true');
  };
  document.addEventListener('click', note);
  const observer = new MutationObserver(() => {
    observer.disconnect();
    document.removeEventListener('click', note);
    if (pressed) alike(pressed.label)[pressed.place]?.click();
  });
  observer.observe(root, { attributeFilter: ['data-app'] });
}
