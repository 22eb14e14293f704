import { NotSentYet } from '@/features/study/components/NotSentYet';
import { sharingText } from '@/features/study/lists/ownLists';
import { followersOf } from '@/features/study/lists/queries';
import type { OtherLists } from '@/features/study/lists/queries';
import { plural } from '@/lib/format';
import type { ReadingList } from '@/shared/study/lists/list';
import type { StudyRecord } from '@/shared/study/studyStorage';

/** Who sees an own list, how many follow it, and whether all of it was sent. */
export function ListFacts({ record, others }: { record: StudyRecord<ReadingList>; others: OtherLists | undefined }) {
  const followers = followersOf(others, record.id);
  return (
    <>
      <span>{sharingText(record.state)}</span>
      {record.state.teamListId === null ? null : <span>Given to your team</span>}
      {followers > 0 ? <span>{`Followed by ${plural(followers, 'member')}`}</span> : null}
      <NotSentYet record={record} className="list-entry__unsent" />
    </>
  );
}
