export type Theme = 'light' | 'dark';

const KEY = 'pith-theme';

/** What stands on the page now. */
export const currentTheme = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

/** Puts a theme on the page: the attribute that the tokens follow and the body class that the specification names. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  // The theme script runs before there is a body.
  (document.body as HTMLElement | null)?.classList.toggle('dark', theme === 'dark');
}

/** Applies and remembers. Storage may be refused (private windows): then it holds for this page. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Nothing to do: the page has it, the next one will ask the system.
  }
}

/** The remembered theme, else the system's. */
export function preferredTheme(): Theme {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // As above.
  }
  if (stored === 'light' || stored === 'dark') return stored;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
