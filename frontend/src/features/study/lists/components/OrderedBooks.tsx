import { useQuery } from '@tanstack/react-query';
import { memo, useMemo, useRef } from 'react';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import { FinishedMark } from '@/features/study/components/ListHead';
import { focusReturned } from '@/features/study/focusReturned';
import { SmallCover } from '@/features/study/lists/components/ListCovers';
import { putBack } from '@/features/study/lists/ownLists';
import { finishedQuery } from '@/features/study/lists/queries';
import { useFocusAfterRemoval } from '@/features/study/lists/useFocusAfterRemoval';
import { paths } from '@/paths';
import type { ListBook, ReadingList } from '@/shared/study/lists/list';
import { moveOnList, takeOffList } from '@/shared/study/lists/listChanges';
import { EmptyState } from '@/ui/State';
import { SortableList } from '@/ui/SortableList';
import { toast } from '@/ui/toast';

interface Props {
  list: ReadingList;
  /** In their order. */
  books: readonly ListBook[];
  /** Takes the focus when the last book is removed. */
  title: RefObject<HTMLElement | null>;
}

/** The books of an own list: to open, to put in order, to remove (study.list-order); how to begin when there are none. */
export function OrderedBooks({ list, books, title }: Props) {
  const { data } = useQuery({ ...finishedQuery(), enabled: books.length > 0 });
  const finished = useMemo(() => new Set(data), [data]);
  const root = useRef<HTMLDivElement>(null);
  const focus = useFocusAfterRemoval(root, title, '.sortable__remove');
  const remove = (book: ListBook) => {
    focus(books.indexOf(book));
    void takeOffList(list, book.bookId);
    toast(`“${book.title}” was removed from the list.`, {
      label: 'Undo',
      run: () => {
        focusReturned(() => root.current?.querySelector<HTMLElement>(`[data-control="remove ${book.bookId}"]`));
        void putBack(list.id, book);
      },
    });
  };
  if (books.length === 0) {
    return (
      <EmptyState title="No summaries on this list yet">
        <p>Press “Add a book” and search for one. On the page of a summary, and in your library, “Add to list” puts it here.</p>
      </EmptyState>
    );
  }
  return (
    <section className="own-list__books" aria-labelledby="own-list-books" ref={root}>
      <h2 className="visually-hidden" id="own-list-books">
        Summaries
      </h2>
      {books.length > 1 ? <p className="own-list__hint">Drag a summary by its handle, or press the handle, to move it.</p> : null}
      <SortableList
        label="Summaries in their order"
        items={books}
        keyOf={({ bookId }) => String(bookId)}
        nameOf={({ title: name }) => name}
        onChange={(_, { bookId }, index) => void moveOnList(list, bookId, index)}
        onRemove={remove}
      >
        {(book) => <Book book={book} isFinished={finished.has(book.bookId)} />}
      </SortableList>
    </section>
  );
}

/** The list is rendered at each step of a drag, and may have 200 of these. */
const Book = memo(function Book({ book, isFinished }: { book: ListBook; isFinished: boolean }) {
  const { subid, title, author } = book;
  return (
    <div className="own-book">
      <SmallCover book={book} />
      <div className="own-book__text">
        <h3 className="own-book__title">
          {subid === null ? (
            title
          ) : (
            <Link className="own-book__link" to={paths.book(subid)}>
              {title}
            </Link>
          )}
        </h3>
        {author === '' ? null : <p className="own-book__author">{author}</p>}
        {subid === null ? <p className="own-book__gone">Not available now</p> : null}
        {isFinished ? <FinishedMark /> : null}
      </div>
    </div>
  );
});
