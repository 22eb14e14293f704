import { ideaOf } from '@/lib/format';
import { Icon } from '@/ui/Icon';
import { ProgressBar } from '@/ui/ProgressBar';

interface Props {
  title: string;
  /** The current section, from 0. */
  position: number;
  /** The number of key ideas, without the rating at the end. */
  sectionsTotal: number;
  completed: boolean;
}

/** A member's progress in a book: 'Completed', or the current key idea with a bar. */
export function ReadingProgressBar({ title, position, sectionsTotal, completed }: Props) {
  if (completed) {
    return (
      <p className="reading-progress reading-progress--done">
        <Icon name="check" />
        Completed
      </p>
    );
  }
  const at = Math.min(position + 1, sectionsTotal);
  const text = ideaOf(at, sectionsTotal);
  return (
    <div className="reading-progress">
      <p className="reading-progress__text tabular">{text}</p>
      <ProgressBar label={`Progress in ${title}`} value={at} max={sectionsTotal} text={text} />
    </div>
  );
}
