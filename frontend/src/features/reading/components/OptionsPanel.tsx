import type { Book } from '@/api/types';
import { chooseTheme } from '@/domain/theme';
import type { Theme } from '@/domain/theme';
import type { TypeSettings } from '@/domain/typeSettings';
import { useTheme } from '@/domain/useTheme';
import { BookAbout } from '@/features/reading/components/BookAbout';
import { DownloadOptions } from '@/features/reading/components/DownloadOptions';
import { LibraryButton } from '@/features/reading/components/LibraryButton';
import { WatchActions } from '@/features/reading/components/ListenButton';
import { useFontSize } from '@/features/reading/useFontSize';
import { useTypeSettings } from '@/features/reading/useTypeSettings';
import { freeLeft } from '@/lib/format';
import { Dialog } from '@/ui/Dialog';
import { Segmented } from '@/ui/Segmented';

const SIZES = [
  { value: '1', label: 'Small' },
  { value: '2', label: 'Medium' },
  { value: '3', label: 'Large' },
] as const;

/** The grounds: sepia is the light theme on another paper. */
const GROUNDS: readonly { value: Theme | 'sepia'; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'sepia', label: 'Sepia' },
  { value: 'dark', label: 'Dark' },
];

const FACES: readonly { value: TypeSettings['face']; label: string }[] = [
  { value: 'serif', label: 'Serif' },
  { value: 'sans', label: 'Sans' },
  { value: 'dyslexic', label: 'Dyslexic' },
];

const LEADINGS: readonly { value: TypeSettings['leading']; label: string }[] = [
  { value: 'tight', label: 'Tight' },
  { value: 'normal', label: 'Normal' },
  { value: 'loose', label: 'Loose' },
];

const MARGINS: readonly { value: TypeSettings['margins']; label: string }[] = [
  { value: 'narrow', label: 'Narrow' },
  { value: 'normal', label: 'Normal' },
  { value: 'wide', label: 'Wide' },
];

/** Display options and actions of the book: a panel at the right. */
export function OptionsPanel({ open, onClose, book, id }: { open: boolean; onClose: () => void; book: Book; id: string }) {
  const [fontSize, , setFontSize] = useFontSize();
  const theme = useTheme();
  const [type, chooseType] = useTypeSettings();
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
          <Segmented
            legend="Theme"
            name="theme"
            options={GROUNDS}
            value={theme === 'light' && type.ground === 'sepia' ? 'sepia' : theme}
            onChange={(ground) => {
              chooseTheme(ground === 'dark' ? 'dark' : 'light');
              if (ground !== 'dark') chooseType({ ground: ground === 'sepia' ? 'sepia' : 'paper' });
            }}
          />
        </div>
        <details className="reader-options__more">
          <summary className="reader-options__summary">More type settings</summary>
          <div className="reader-options__type">
            <div>
              <h3 className="reader-options__title">Face</h3>
              <Segmented legend="Face" name="face" options={FACES} value={type.face} onChange={(face) => chooseType({ face })} />
            </div>
            <div>
              <h3 className="reader-options__title">Line height</h3>
              <Segmented legend="Line height" name="leading" options={LEADINGS} value={type.leading} onChange={(leading) => chooseType({ leading })} />
            </div>
            <div>
              <h3 className="reader-options__title">Margins</h3>
              <Segmented legend="Margins" name="margins" options={MARGINS} value={type.margins} onChange={(margins) => chooseType({ margins })} />
            </div>
          </div>
        </details>
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
