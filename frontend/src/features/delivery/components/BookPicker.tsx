import { useInfiniteQuery } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { rawMessageOf } from '@/api/errors';
import { FileSkeleton } from '@/features/delivery/components/PaidOnly';
import { offeredQuery } from '@/features/delivery/queries';
import { useDebounced } from '@/lib/useDebounced';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { LoadMore } from '@/ui/LoadMore';
import { ErrorState } from '@/ui/State';

/** Sends the book with this id or slug. */
export type Send = UseMutationResult<unknown, Error, string>;

/** Finds a book as you type (delivery.e-reader-send). The outcome of a send is shown in its row, because the page is long. */
export function BookPicker({ send }: { send: Send }) {
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed.trim());
  const list = useInfiniteQuery(offeredQuery(q));
  const { data: books, error, refetch } = list;
  return (
    <section className="kindle__choice" aria-labelledby="kindle-choice">
      <h2 id="kindle-choice">Which book?</h2>
      <TextField
        label="Title or author"
        hint="Choose one of the newest here, or search them all."
        type="search"
        name="q"
        autoComplete="off"
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p className="visually-hidden" role="status">
        {books && q !== '' ? (books.length === 0 ? 'No book found' : `${books.length} found`) : ''}
      </p>
      {!books && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!books && !error ? <FileSkeleton label="Looking for books" /> : null}
      {books?.length === 0 ? <p className="kindle__note kindle__none">No book has that in its title, author name or text.</p> : null}
      <ul className="kindle__list">
        {books?.map((book) => (
          <li key={book.id} className="kindle__item">
            {book.image ? <img className="kindle__cover" src={book.image} alt="" width={40} height={60} loading="lazy" /> : null}
            <div className="kindle__what">
              <b className="kindle__title book-card__title">{book.title}</b>
              <span className="kindle__note">{book.author}</span>
            </div>
            <Button
              busy={send.isPending && send.variables === book.subid}
              busyText="Sending"
              aria-label={`Send ${book.title}`}
              onClick={() => send.mutate(book.subid)}
            >
              Send
            </Button>
            {send.variables === book.subid ? <Outcome send={send} title={book.title} /> : null}
          </li>
        ))}
      </ul>
      <LoadMore list={list}>Show more books</LoadMore>
    </section>
  );
}

function Outcome({ send, title }: { send: Send; title: string }) {
  if (!send.isError && !send.isSuccess) return null;
  return (
    <div className="kindle__outcome">
      {send.isError ? (
        <Alert kind="warning">{rawMessageOf(send.error)}</Alert>
      ) : (
        <Alert kind="success">{`“${title}” is on its way. It should be on your Kindle in a few minutes.`}</Alert>
      )}
    </div>
  );
}
