/** The reader's three font sizes. */
export const FONT_SIZES = [1, 2, 3] as const;
export type FontSize = (typeof FONT_SIZES)[number];

const KEY = 'pith-font-size';
const DEFAULT: FontSize = 1;

const asSize = (text: string | null | undefined): FontSize | null => FONT_SIZES.find((size) => String(size) === text) ?? null;

/** 1 → 2 → 3 → 1 (reading-progress.font-sizes). */
export const nextFontSize = (size: FontSize): FontSize => FONT_SIZES[size % FONT_SIZES.length] ?? DEFAULT;

export const currentFontSize = (): FontSize => asSize(document.documentElement.dataset['size']) ?? preferredFontSize();

export const applyFontSize = (size: FontSize): void => {
  document.documentElement.dataset['size'] = String(size);
};

/** Applies and stores a size. Without storage it lasts as long as the page. */
export function chooseFontSize(size: FontSize): void {
  applyFontSize(size);
  try {
    localStorage.setItem(KEY, String(size));
  } catch {
    // The page has the size; it is not stored.
  }
}

export function preferredFontSize(): FontSize {
  try {
    return asSize(localStorage.getItem(KEY)) ?? DEFAULT;
  } catch {
    return DEFAULT;
  }
}
