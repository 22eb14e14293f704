// The buttons of the server's text do nothing until the app has drawn its own. A press that came earlier is repeated then.

const labelOf = (button: Element): string => button.getAttribute('aria-label') ?? button.textContent.trim();

/** The buttons of a page that say the same, in their order. */
const alike = (label: string): HTMLButtonElement[] => [...document.querySelectorAll<HTMLButtonElement>('#root button')].filter((one) => labelOf(one) === label);

/** Keeps the last press of a button until the app marks the document (ReadyMarker.tsx), then presses the app's button in its place. */
export function repeatEarlyPress(): void {
  const root = document.documentElement;
  let pressed: { label: string; place: number } | undefined;
  const note = ({ target }: MouseEvent): void => {
    const button = target instanceof Element ? target.closest('#root button') : null;
    if (!button) return;
    const label = labelOf(button);
    pressed = { label, place: alike(label).findIndex((one) => one === button) };
    // Until the app is there, the button shows that it was pressed.
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
