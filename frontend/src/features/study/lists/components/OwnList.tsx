import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError, GENERAL_FAILURE } from '@/api/errors';
import { AddBooks } from '@/features/study/lists/components/AddBooks';
import { DeleteListDialog } from '@/features/study/lists/components/DeleteListDialog';
import { ListDialog } from '@/features/study/lists/components/ListDialog';
import { OwnListSkeleton } from '@/features/study/lists/components/ListsSkeleton';
import { NotSentYet, Refusal } from '@/features/study/lists/components/NotSentYet';
import { OrderedBooks } from '@/features/study/lists/components/OrderedBooks';
import { ShareDialog } from '@/features/study/lists/components/ShareDialog';
import { sharingText } from '@/features/study/lists/ownLists';
import { followersOf, otherListsQuery } from '@/features/study/lists/queries';
import { useStudyRecords } from '@/features/study/useStudyRecords';
import { plural } from '@/lib/format';
import { useOnline } from '@/lib/useOnline';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { isListShown, shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { removeList, restoreList } from '@/shared/study/lists/listChanges';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { syncStudy } from '@/shared/study/studySync';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { NotFound } from '@/ui/NotFound';
import { ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

/** Why the first read failed: studySync tries again by itself, and tells no more. */
const UNREACHED = new ApiError({ status: 0, code: 'network', message: GENERAL_FAILURE });

/** An own list: its books in their order, and what can be done with it (study.own-lists). */
export function OwnList({ member, id }: { member: number; id: number }) {
  const { records, isSynced, hasFailed } = useStudyRecords(member, 'lists');
  const online = useOnline();
  const record = records.lists.get(id);
  const isThere = record !== undefined && isListShown(record.state);
  // Another device may have made it just now.
  const isWaiting = !isThere && !isSynced;
  // The page that is not found has a title of its own.
  useTitle(isThere ? record.state.name.value : isWaiting ? 'List' : undefined);
  if (isThere) return <OfRecord record={record} />;
  if (!isWaiting && !hasFailed && online) {
    return <NotFound what="There is no such list of yours. It may have been deleted." to={paths.lists} label="See your lists" />;
  }
  return <div className="page own-list">{isWaiting ? <OwnListSkeleton /> : <ErrorState level={1} error={UNREACHED} onRetry={() => void syncStudy()} />}</div>;
}

type Open = 'books' | 'details' | 'share' | 'delete' | null;

function OfRecord({ record }: { record: StudyRecord<ReadingList> }) {
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
      toast(`“${list.name.value}” was deleted.`, { label: 'Undo', run: () => void restoreList(list) });
    });
  };
}

function Facts({ record, count }: { record: StudyRecord<ReadingList>; count: number }) {
  const { data } = useQuery(otherListsQuery());
  const { state } = record;
  const followers = followersOf(data, record.id);
  return (
    <p className="list-entry__facts tabular">
      <span>{plural(count, 'summary', 'summaries')}</span>
      <span>{sharingText(state)}</span>
      {state.teamListId === null ? null : <span>Given to your team</span>}
      {followers > 0 ? <span>{`Followed by ${plural(followers, 'member')}`}</span> : null}
      <NotSentYet record={record} />
      {state.address === null ? null : (
        <Link className="link own-list__page" to={paths.sharedList(state.address)}>
          See its page
        </Link>
      )}
    </p>
  );
}
