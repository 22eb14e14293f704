import { isListShown } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import type { StudyRecord } from '@/shared/study/studyStorage';
import type { StudySnapshot } from '@/shared/study/studyStore';

/** The member's lists that are there, by name. */
export const shownLists = ({ lists }: Pick<StudySnapshot, 'lists'>): StudyRecord<ReadingList>[] =>
  [...lists.values()]
    .filter(({ state }) => isListShown(state))
    .sort((one, other) => one.state.name.value.localeCompare(other.state.name.value, 'en') || one.id - other.id);
