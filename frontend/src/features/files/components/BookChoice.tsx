import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Waiting } from '@/features/files/components/Paid';
import { offeredQuery } from '@/features/files/queries';
import { useRested } from '@/lib/useRested';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { ErrorState } from '@/ui/State';

interface Props {
  /** The book that is being sent now. */
  sending: string | null;
  onSend: (subid: string) => void;
}

/** Asks for a book, as one types (back-office.md §2). */
export function BookChoice({ sending, onSend }: Props) {
  const [typed, setTyped] = useState('');
  const q = useRested(typed.trim());
  const { data: books, error, refetch } = useQuery(offeredQuery(q));
  return (
    <section className="kindle__choice" aria-labelledby="kindle-choice">
      <h2 id="kindle-choice">Which book?</h2>
      <TextField label="Title or author" type="search" name="q" autoComplete="off" maxLength={200} value={typed} onChange={({ target }) => setTyped(target.value)} />
      <p className="visually-hidden" role="status">
        {books && q !== '' ? (books.length === 0 ? 'No book found' : `${books.length} found`) : ''}
      </p>
      {!books && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!books && !error ? <Waiting label="Looking for books" /> : null}
      {books?.length === 0 ? <p className="kindle__note">No book has that in its title, author or text.</p> : null}
      <ul className="kindle__list">
        {books?.map((book) => (
          <li key={book.id} className="kindle__item">
            {book.image ? <img className="kindle__cover" src={book.image} alt="" width={40} height={60} loading="lazy" /> : null}
            <div className="kindle__what">
              <b>{book.title}</b>
              <span className="kindle__note">{book.author}</span>
            </div>
            <Button busy={sending === book.subid} busyText="Sending" aria-label={`Send ${book.title}`} onClick={() => onSend(book.subid)}>
              Send
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
