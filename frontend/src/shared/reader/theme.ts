export type Theme = 'light' | 'dark';

const KEY = 'pith-theme';

/** The theme of the page. */
export const currentTheme = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

/** Applies a theme: the attribute that the tokens follow and the body class that the specification names. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  // The script of the head runs before there is a body.
  (document.body as HTMLElement | null)?.classList.toggle('dark', theme === 'dark');
}

/** Applies and stores a theme. Without storage (private windows) it lasts as long as the page. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The page has it; the next one uses the system's theme.
  }
}

/** The stored theme, else the system's. */
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
