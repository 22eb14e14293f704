import { Suspense, lazy } from 'react';
import type { Book } from '@/api/types';
import { DisplayOptions } from '@/shared/reader/DisplayOptions';
import { BookAbout } from '@/features/reading-progress/reading/components/BookAbout';
import { DownloadOptions } from '@/features/reading-progress/reading/components/DownloadOptions';
import { LibraryButton } from '@/features/reading-progress/reading/components/LibraryButton';
import { PodcastButton } from '@/features/reading-progress/reading/components/PodcastButton';
import { WatchActions } from '@/features/reading-progress/reading/components/ListenButton';
import { AddToListButton } from '@/shared/study/lists/AddToListButton';
import { areHighlightsOff } from '@/shared/study/studyFlags';
import { freeLeft } from '@/lib/format';

const QuoteHighlight = lazy(() => import(/* webpackChunkName: "highlights" */ '@/shared/study/highlights/QuoteHighlight'));

/** Display options and actions of the book. */
export function BookOptions({ book, id, member }: { book: Book; id: string; member: number | null }) {
  return (
    <div className="reader-options">
      <DisplayOptions />
      <div>
        <h3 className="reader-options__title">This book</h3>
        <div className="reader-options__ways">
          <PodcastButton book={book} />
          <WatchActions book={book} />
          <LibraryButton book={book} id={id} />
          {member === null ? null : <AddToListButton book={book} />}
        </div>
        {book.allowance && !book.free ? <p className="reader-options__note">{freeLeft(book.allowance)}</p> : null}
      </div>
      {book.showPremiumContent || book.free ? <DownloadOptions book={book} /> : null}
      <p className="reader-options__note reader-options__keys">
        The arrow keys <kbd>←</kbd> and <kbd>→</kbd> turn to the previous and the next section.
      </p>
      {member === null || areHighlightsOff() ? null : (
        <p className="reader-options__note reader-options__keys">
          <kbd>h</kbd> highlights the selected text. Without a selection it picks a sentence, which the arrow keys <kbd>↑</kbd> and <kbd>↓</kbd> move.
        </p>
      )}
      {book.hasMedia && book.showPremiumContent ? (
        <p className="reader-options__note reader-options__keys">
          While you listen, <kbd>k</kbd> or the space bar plays and pauses, <kbd>j</kbd> and <kbd>l</kbd> go 15 seconds back and forward, with <kbd>Shift</kbd>{' '}
          a paragraph, <kbd>m</kbd> mutes
          {member === null || areHighlightsOff() ? (
            '.'
          ) : (
            <>
              , and <kbd>b</kbd> highlights what you just heard.
            </>
          )}
        </p>
      ) : null}
      {member === null || areHighlightsOff() ? (
        <BookAbout book={book} />
      ) : (
        <BookAbout
          book={book}
          quoteAction={(quote) => (
            <Suspense fallback={null}>
              <QuoteHighlight {...{ book, quote, member }} />
            </Suspense>
          )}
        />
      )}
    </div>
  );
}
