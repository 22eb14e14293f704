import { useOnline } from '@/lib/useOnline';
import type { ReadingList } from '@/shared/study/lists/list';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { Icon } from '@/ui/Icon';

/** Says that changes of a list are on this device only. */
export function NotSentYet({ record: { unsent, refused } }: { record: StudyRecord<ReadingList> }) {
  const online = useOnline();
  if (unsent !== 1 || refused !== null || online) return null;
  return (
    <span className="list-entry__unsent">
      <Icon name="offline" />
      Not sent yet
    </span>
  );
}

/** Says why the server refuses the changes of a list. */
export function Refusal({ record: { refused } }: { record: StudyRecord<ReadingList> }) {
  if (refused === null) return null;
  return (
    <p className="list-entry__refused">
      <Icon name="warning" />
      <span>This list could not be saved: {refused}</span>
    </p>
  );
}
