import { useEffect, useState } from 'react';
import { useOnline } from '@/lib/useOnline';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { Icon } from '@/ui/Icon';

/** How long a change may take to be sent before the page says that it was not, in milliseconds. */
const SENDING = 2_000;

interface Props {
  record: Pick<StudyRecord<unknown>, 'unsent' | 'refused'>;
  className: string;
}

/** Says that a change is on this device only; not in the moment in which it is sent. */
export function NotSentYet({ record: { unsent, refused }, className }: Props) {
  return unsent === 1 && refused === null ? <LateChange className={className} /> : null;
}

function LateChange({ className }: { className: string }) {
  const online = useOnline();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), SENDING);
    return () => clearTimeout(timer);
  }, []);
  return online && !isLate ? null : (
    <span className={className}>
      <Icon name="offline" />
      Not sent yet
    </span>
  );
}
