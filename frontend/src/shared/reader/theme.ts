export type Theme = 'light' | 'dark';

const KEY = 'pith-theme';

export const currentTheme = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

/** Applies a theme: sets the attribute that the design tokens depend on, and the body class from the specification. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  // The script in <head> runs before there is a body.
  (document.body as HTMLElement | null)?.classList.toggle('dark', theme === 'dark');
}

/** Applies and stores a theme. Without storage (private windows) it lasts as long as the page. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The page has the theme; the next page uses the system's.
  }
}

/** The stored theme, else the system's. */
export function preferredTheme(): Theme {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // Without storage the system's theme is used.
  }
  if (stored === 'light' || stored === 'dark') return stored;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
