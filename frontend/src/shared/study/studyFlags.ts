// What the browser's storage says of study on this device. Apart from the store, so that pages can ask without loading it.
import { readStored, writeStored } from '@/lib/browserStore';
import { COLORS } from '@/shared/study/colors';
import type { HighlightColor } from '@/shared/study/colors';

/** The ids of books with highlights on this device: the reader loads their highlights, also when its offline copy knows of none. Also the event of the window when they have changed. */
export const HIGHLIGHTED = 'highlighted';
/** '1' while something waits to be sent: the page that starts next loads studySync. */
export const UNSENT_FLAG = 'study-unsent';
/** '1' while the database may have records of a member. */
export const STORED_FLAG = 'study-stored';
/** '1' while the member has switched highlights off (study.study-switches), as far as this device knows. */
const OFF_FLAG = 'highlights-off';
const LAST_COLOR = 'highlight-color';
/** How many cards a day asks at most (shared/study/dailyMax.ts). */
export const DAILY_MAX = 'study-daily-max';
/** What commitmentFlags.ts and settings.ts keep. */
export const COMMITMENTS = 'study-commitments';
export const COMMITMENTS_OFF = 'commitments-off';
/** The day on which a card is due next, as far as this device knows. */
const NEXT_DUE = 'study-next-due';

export function isHighlighted(book: number): boolean {
  try {
    const books: unknown = JSON.parse(readStored('local', HIGHLIGHTED) ?? '[]');
    return Array.isArray(books) && books.includes(book);
  } catch {
    return false;
  }
}

export const hasUnsent = (): boolean => readStored('local', UNSENT_FLAG) === '1';

export const hasStored = (): boolean => readStored('local', STORED_FLAG) === '1';

export const areHighlightsOff = (): boolean => readStored('local', OFF_FLAG) === '1';

export const rememberHighlightsOff = (isOff: boolean): void => writeStored('local', OFF_FLAG, isOff ? '1' : null);

/** Whether a card is probably due: Home reserves the room of its row. The day is that in UTC, which is near enough. */
export const isProbablyDue = (): boolean => (readStored('local', NEXT_DUE) ?? '~') <= new Date().toISOString();

/** `day`: YYYY-MM-DD; null: no card is in review. */
export function rememberNextDue(day: string | null): void {
  if (readStored('local', NEXT_DUE) !== day) writeStored('local', NEXT_DUE, day);
}

/** The color that was chosen last (study.highlight-colors). */
export const lastColor = (): HighlightColor => COLORS.find((color) => color === readStored('local', LAST_COLOR)) ?? 'honey';

export const rememberColor = (color: HighlightColor): void => writeStored('local', LAST_COLOR, color);

/** Removes the member's preferences, which the server has or which are of no use without them. */
export function clearPreferences(): void {
  for (const key of [OFF_FLAG, LAST_COLOR, DAILY_MAX, NEXT_DUE, COMMITMENTS, COMMITMENTS_OFF]) writeStored('local', key, null);
}
