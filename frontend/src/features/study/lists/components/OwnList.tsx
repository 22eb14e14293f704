import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { focusReturned } from '@/features/study/focusReturned';
import { AddBooks } from '@/features/study/lists/components/AddBooks';
import { DeleteListDialog } from '@/features/study/lists/components/DeleteListDialog';
import { ListDialog } from '@/features/study/lists/components/ListDialog';
import { OwnListSkeleton } from '@/features/study/lists/components/ListsSkeleton';
import { ListFacts } from '@/features/study/lists/components/ListFacts';
import { OrderedBooks } from '@/features/study/lists/components/OrderedBooks';
import { Refusal } from '@/features/study/lists/components/Refusal';
import { ShareDialog } from '@/features/study/lists/components/ShareDialog';
import { otherListsQuery } from '@/features/study/lists/queries';
import { plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { isListShown, shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { removeList, restoreList } from '@/shared/study/lists/listChanges';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { syncStudy } from '@/shared/study/studySync';
import { UNREACHED, useStudyRecords } from '@/shared/study/useStudyRecords';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { NotFound } from '@/ui/NotFound';
import { ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

/** An own list: its books in their order, and what can be done with it (study.own-lists). */
export function OwnList({ member, id }: { member: number; id: number }) {
  const { records, isSynced, isPulled } = useStudyRecords(member, 'lists');
  const record = records.lists.get(id);
  const isThere = record !== undefined && isListShown(record.state);
  // Another device may have made it just now.
  const isWaiting = !isThere && !isSynced && !isPulled;
  // The page that is not found has a title of its own.
  useTitle(isThere ? record.state.name.value : isWaiting ? 'List' : undefined);
  if (isThere) return <ListDetails record={record} />;
  if (isPulled) {
    return <NotFound what="There is no such list of yours. It may have been deleted." to={paths.lists} label="See your lists" />;
  }
  return <div className="page own-list">{isWaiting ? <OwnListSkeleton /> : <ErrorState level={1} error={UNREACHED} onRetry={() => void syncStudy()} />}</div>;
}

type Open = 'books' | 'details' | 'share' | 'delete' | null;

function ListDetails({ record }: { record: StudyRecord<ReadingList> }) {
  const list = record.state;
  const books = shownBooks(list);
  const [open, setOpen] = useState<Open>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const remove = useRemoval(list);
  const close = () => setOpen(null);
  return (
    <div className="page own-list">
      <BackLink to={paths.lists}>Lists</BackLink>
      <header className="own-list__head">
        <h1 className="page__title" ref={title} tabIndex={-1}>
          {list.name.value}
        </h1>
        {list.note.value === '' ? null : <p className="own-list__note">{list.note.value}</p>}
        <Facts record={record} count={books.length} />
        <Refusal record={record} />
        <div className="own-list__actions">
          <div className="own-list__buttons">
            <Button kind="primary" onClick={() => setOpen('books')}>
              <Icon name="plus" />
              Add a book
            </Button>
            <Button onClick={() => setOpen('share')}>
              <Icon name="share" />
              Share
            </Button>
          </div>
          <div className="own-list__buttons own-list__buttons--quiet">
            <Button kind="quiet" onClick={() => setOpen('details')}>
              Edit
            </Button>
            <Button kind="quiet" onClick={() => (isShared(list) ? setOpen('delete') : remove())}>
              Delete
            </Button>
          </div>
        </div>
      </header>
      <OrderedBooks list={list} books={books} title={title} />
      {open === 'books' ? <AddBooks list={list} onClose={close} /> : null}
      {open === 'details' ? <ListDialog list={list} onClose={close} /> : null}
      {open === 'share' ? <ShareDialog list={list} onClose={close} /> : null}
      {open === 'delete' ? <DeleteListDialog list={list} onClose={close} onDelete={remove} /> : null}
    </div>
  );
}

/** Others see it: its end is theirs too. */
const isShared = ({ sharing, teamListId }: ReadingList): boolean => sharing !== 'private' || teamListId !== null;

/** Deletes the list, once the page of all lists is shown: this one would say that there is no such list. */
function useRemoval(list: ReadingList) {
  const navigate = useNavigate();
  const isLeaving = useRef(false);
  return () => {
    if (isLeaving.current) return;
    isLeaving.current = true;
    void Promise.resolve(navigate(paths.lists)).then(() => {
      void removeList(list);
      toast(`“${list.name.value}” was deleted.`, {
        label: 'Undo',
        run: () => {
          // On the page of all lists.
          focusReturned(() => document.querySelector<HTMLElement>(`.list-entry__link[href="${paths.list(list.id)}"]`));
          void restoreList(list);
        },
      });
    });
  };
}

function Facts({ record, count }: { record: StudyRecord<ReadingList>; count: number }) {
  const { data } = useQuery(otherListsQuery());
  const { slug } = record.state;
  return (
    <p className="list-entry__facts tabular">
      <span>{plural(count, 'summary', 'summaries')}</span>
      <ListFacts record={record} others={data} />
      {slug === null ? null : (
        <Link className="link own-list__page" to={paths.sharedList(slug)}>
          See its page
        </Link>
      )}
    </p>
  );
}
