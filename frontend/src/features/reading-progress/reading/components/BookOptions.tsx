import type { Book } from '@/api/types';
import { DisplayOptions } from '@/shared/reader/DisplayOptions';
import { BookAbout } from '@/features/reading-progress/reading/components/BookAbout';
import { DownloadOptions } from '@/features/reading-progress/reading/components/DownloadOptions';
import { LibraryButton } from '@/features/reading-progress/reading/components/LibraryButton';
import { PodcastButton } from '@/features/reading-progress/reading/components/PodcastButton';
import { WatchActions } from '@/features/reading-progress/reading/components/ListenButton';
import { freeLeft } from '@/lib/format';

/** Display options and actions of the book. */
export function BookOptions({ book, id }: { book: Book; id: string }) {
  return (
    <div className="reader-options">
      <DisplayOptions />
      <div>
        <h3 className="reader-options__title">This book</h3>
        <div className="reader-options__ways">
          <PodcastButton book={book} />
          <WatchActions book={book} />
          <LibraryButton book={book} id={id} />
        </div>
        {book.allowance && !book.free ? <p className="reader-options__note">{freeLeft(book.allowance)}</p> : null}
      </div>
      {book.showPremiumContent || book.free ? <DownloadOptions book={book} /> : null}
      <p className="reader-options__note reader-options__keys">
        The arrow keys <kbd>←</kbd> and <kbd>→</kbd> turn to the previous and the next section.
      </p>
      {book.hasMedia && book.showPremiumContent ? (
        <p className="reader-options__note reader-options__keys">
          While you listen, <kbd>k</kbd> or the space bar plays and pauses, <kbd>j</kbd> and <kbd>l</kbd> go 15 seconds back and forward, with <kbd>Shift</kbd>{' '}
          a paragraph, and <kbd>m</kbd> mutes.
        </p>
      ) : null}
      <BookAbout book={book} />
    </div>
  );
}
