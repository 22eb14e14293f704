// Puts a book on lists of the member, with the store (study.list-pages).
import '@/shared/study/lists/addToList.css';
import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ApiError, messageOf } from '@/api/errors';
import type { BookCard } from '@/api/types';
import { plural } from '@/lib/format';
import { useOnline } from '@/lib/useOnline';
import { paths } from '@/paths';
import { accountQuery, currentMember } from '@/shared/session/account';
import { LISTS_MAX, LIST_BOOKS_MAX, hasBook, shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { createList, listNameError, putOnList, takeOffList } from '@/shared/study/lists/listChanges';
import type { BookToAdd } from '@/shared/study/lists/order';
import { shownLists } from '@/shared/study/lists/shownLists';
import { useStudyRecords } from '@/shared/study/useStudyRecords';
import { Alert } from '@/ui/Alert';
import { Checkbox } from '@/ui/Check';
import { Dialog } from '@/ui/Dialog';
import { DialogSkeleton } from '@/ui/DialogSkeleton';
import { TextField } from '@/ui/Field';
import { SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

interface Props {
  book: Pick<BookCard, 'id' | 'subid' | 'title' | 'author' | 'image' | 'categories'>;
  onClose: () => void;
}

/** The lists of a member as checkboxes, and a field for a new one. What is pressed is stored at once. */
export function AddToList({ book: { id, subid, title, author, image, categories }, onClose }: Props) {
  const book: BookToAdd = { id, subid, title, author, image, hue: categories[0]?.hue ?? null };
  const account = useQuery(accountQuery());
  const member = account.data?.id ?? currentMember();
  const { records, isWaiting, hasFailed } = useStudyRecords(member, 'lists');
  const lists = shownLists(records);
  const isAny = lists.length > 0;
  return (
    <Dialog open onClose={onClose} title="Add to list" className="add-to-list">
      <p className="add-to-list__book">{title}</p>
      {account.error && member === null ? (
        <Alert kind="warning">{messageOf(account.error)}</Alert>
      ) : isWaiting ? (
        <DialogSkeleton />
      ) : (
        <>
          {hasFailed ? <MissingListsAlert /> : null}
          {isAny ? (
            <ul className="add-to-list__lists" aria-label="Your lists">
              {lists.map(({ id: key, state }) => (
                <ListOption key={key} list={state} book={book} />
              ))}
            </ul>
          ) : null}
          <NewList book={book} isFirst={!isAny} count={lists.length} />
          {isAny ? (
            <Link className="link link--more" to={paths.lists} onClick={onClose}>
              See your lists
            </Link>
          ) : null}
        </>
      )}
    </Dialog>
  );
}

/** Those lists are missing that other devices have made. */
function MissingListsAlert() {
  const online = useOnline();
  return (
    <Alert kind="warning">
      {online ? 'Your lists could not be loaded. A new one is kept.' : 'You are offline, and your lists are not all on this device. A new one is kept.'}
    </Alert>
  );
}

function ListOption({ list, book }: { list: ReadingList; book: BookToAdd }) {
  const isOn = hasBook(list, book.id);
  const count = shownBooks(list).length;
  const isFull = !isOn && count >= LIST_BOOKS_MAX;
  const countId = useId();
  return (
    <li className="add-to-list__option">
      <Checkbox
        label={list.name.value}
        checked={isOn}
        aria-disabled={isFull || undefined}
        aria-describedby={countId}
        onChange={({ target }) => {
          if (!isFull) void (target.checked ? putOnList(list, book) : takeOffList(list, book.id));
        }}
      />
      <span className="add-to-list__count tabular" id={countId}>
        {isFull ? 'A list has up to 200 books.' : plural(count, 'summary', 'summaries')}
      </span>
    </li>
  );
}

interface NewListProps {
  book: BookToAdd;
  /** There is no list yet. */
  isFirst: boolean;
  /** How many lists there are. */
  count: number;
}

/** Makes a list with the book on it. */
function NewList({ book, isFirst, count }: NewListProps) {
  const place = useRef<HTMLFormElement>(null);
  /** What was done last, for screen readers. */
  const [said, setSaid] = useState('');
  const form = useForm({
    required: { name: 'Please name the list.' },
    scroll: false,
    submit: async (typed) => {
      const name = text(typed, 'name');
      const message = count >= LISTS_MAX ? 'You have 200 lists. Please delete one first.' : listNameError(name);
      if (message !== null) throw new ApiError({ status: 0, code: 'validation', message, field: 'name' });
      const { name: kept } = await createList(name, book);
      setSaid(`It is on the new list “${kept.value}”.`);
      place.current?.reset();
    },
  });
  return (
    <form className="add-to-list__new" ref={place} {...form.props}>
      <TextField label={isFirst ? 'Name of your first list' : 'New list'} name="name" autoComplete="off" error={form.wrong('name')} />
      <SubmitButton form={form} kind="secondary" busyText="Adding">
        Create and add
      </SubmitButton>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </form>
  );
}
