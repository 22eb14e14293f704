import type { Book } from '@/api/types';
import { chooseTheme } from '@/domain/theme';
import type { Theme } from '@/domain/theme';
import { useTheme } from '@/domain/useTheme';
import { BookAbout } from '@/features/reading/components/BookAbout';
import { DownloadOptions } from '@/features/reading/components/DownloadOptions';
import { LibraryButton } from '@/features/reading/components/LibraryButton';
import { WatchActions } from '@/features/reading/components/ListenButton';
import { useFontSize } from '@/features/reading/useFontSize';
import { freeLeft } from '@/lib/format';
import { Dialog } from '@/ui/Dialog';
import { Segmented } from '@/ui/Segmented';

const SIZES = [
  { value: '1', label: 'Small' },
  { value: '2', label: 'Medium' },
  { value: '3', label: 'Large' },
] as const;

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Display options and actions of the book: a panel at the right. */
export function OptionsPanel({ open, onClose, book, id }: { open: boolean; onClose: () => void; book: Book; id: string }) {
  const [fontSize, , setFontSize] = useFontSize();
  const theme = useTheme();
  return (
    <Dialog open={open} onClose={onClose} title="Options" side="right" className="reader-panel">
      <div className="reader-options">
        <div>
          <h3 className="reader-options__title">Font size</h3>
          <Segmented
            legend="Font size"
            name="font-size"
            options={SIZES}
            value={SIZES[fontSize - 1]?.value ?? '1'}
            onChange={(value) => setFontSize(value === '3' ? 3 : value === '2' ? 2 : 1)}
          />
        </div>
        <div>
          <h3 className="reader-options__title">Theme</h3>
          <Segmented legend="Theme" name="theme" options={THEMES} value={theme} onChange={chooseTheme} />
        </div>
        <div>
          <h3 className="reader-options__title">This book</h3>
          <div className="reader-options__ways">
            <WatchActions book={book} />
            <LibraryButton book={book} id={id} />
          </div>
          {book.allowance && !book.free ? (
            <p className="reader-options__note">{freeLeft(book.allowance)}</p>
          ) : null}
        </div>
        {book.showPremiumContent || book.free ? <DownloadOptions book={book} /> : null}
        <p className="reader-options__note reader-options__keys">
          The arrow keys <kbd>←</kbd> and <kbd>→</kbd> turn to the previous and the next section.
        </p>
        {book.hasMedia && book.showPremiumContent ? (
          <p className="reader-options__note reader-options__keys">
            While you listen, <kbd>k</kbd> or the space bar plays and pauses, <kbd>j</kbd> and <kbd>l</kbd> go 15 seconds back and forward, with{' '}
            <kbd>Shift</kbd> a paragraph, and <kbd>m</kbd> mutes.
          </p>
        ) : null}
        <BookAbout book={book} />
      </div>
    </Dialog>
  );
}
