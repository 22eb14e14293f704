import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { NETWORK_FAILURE } from '@/api/errors';
import { ListDialog } from '@/features/study/lists/components/ListDialog';
import { ListEntry } from '@/features/study/lists/components/ListEntry';
import { EntriesSkeleton } from '@/features/study/lists/components/ListsSkeleton';
import { ListFacts } from '@/features/study/lists/components/ListFacts';
import { OtherLists } from '@/features/study/lists/components/OtherLists';
import { Refusal } from '@/features/study/lists/components/Refusal';
import { otherListsQuery } from '@/features/study/lists/queries';
import { ROUTES, paths } from '@/paths';
import { shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { shownLists } from '@/shared/study/lists/shownLists';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { syncStudy } from '@/shared/study/studySync';
import { UNREACHED, useStudyRecords } from '@/shared/study/useStudyRecords';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { EmptyState, ErrorState } from '@/ui/State';

/** All lists of a member: their own, those that they follow, and those of their team (study.list-pages). */
export function Lists({ member }: { member: number }) {
  const { records, isWaiting, hasFailed } = useStudyRecords(member, 'lists');
  const own = useMemo(() => shownLists(records), [records]);
  const [isNew, setNew] = useState(false);
  const navigate = useNavigate();
  const title = useRef<HTMLHeadingElement>(null);
  // The button that read again is gone once the lists are there.
  const hadFailed = useRef(false);
  useEffect(() => {
    if (hadFailed.current && !hasFailed && document.activeElement === document.body) title.current?.focus();
    hadFailed.current = hasFailed;
  }, [hasFailed]);
  const newList = (
    <Button kind="primary" onClick={() => setNew(true)}>
      <Icon name="plus" />
      New list
    </Button>
  );
  const isEmpty = own.length === 0 && !isWaiting && !hasFailed;
  return (
    <div className="page lists">
      <div className="lists__head">
        <h1 className="page__title" ref={title} tabIndex={-1}>
          {ROUTES.lists.title}
        </h1>
        {isWaiting || isEmpty ? null : newList}
      </div>
      {isEmpty ? (
        <EmptyState title="No lists yet" actions={newList}>
          <p>Put summaries together: for a topic, for a course, for friends. A list is yours alone until you share it.</p>
        </EmptyState>
      ) : (
        <section className="lists__section" aria-labelledby="lists-own">
          <h2 className="lists__heading" id="lists-own">
            My lists
          </h2>
          {isWaiting ? <EntriesSkeleton label="Loading your lists" /> : null}
          {hasFailed ? (
            // With some lists below, the page is not missing from this device.
            <ErrorState {...(own.length > 0 ? { message: NETWORK_FAILURE } : { error: UNREACHED })} onRetry={() => void syncStudy()} />
          ) : null}
          {own.length > 0 ? <OwnLists lists={own} /> : null}
        </section>
      )}
      <OtherLists />
      {isNew ? <ListDialog list={null} onClose={() => setNew(false)} onCreated={({ id }) => void navigate(paths.list(id))} /> : null}
    </div>
  );
}

function OwnLists({ lists }: { lists: readonly StudyRecord<ReadingList>[] }) {
  const { data } = useQuery(otherListsQuery());
  return (
    <ul className="lists__entries">
      {lists.map((record) => {
        const books = shownBooks(record.state);
        return (
          <ListEntry
            key={record.id}
            name={record.state.name.value}
            to={paths.list(record.id)}
            count={books.length}
            books={books.map(({ bookId, title, image, hue }) => ({ key: bookId, title, image, hue }))}
            facts={<ListFacts record={record} others={data} />}
            problem={<Refusal record={record} />}
          />
        );
      })}
    </ul>
  );
}
