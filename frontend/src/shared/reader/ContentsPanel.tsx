import type { ReactNode } from 'react';
import { Dialog } from '@/ui/Dialog';

interface Props {
  open: boolean;
  onClose: () => void;
  titles: readonly string[];
  /** How many of the sections are key ideas; the sections after them have no number. */
  ideas: number;
  index: number;
  onPick: (index: number) => void;
  /** What else the text has, below the list. */
  children?: ReactNode;
}

/** The table of contents: a 480 px panel on the left, a bottom sheet on phones. */
export function ContentsPanel({ open, onClose, titles, ideas, index, onPick, children }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Contents" side="left">
      <nav aria-label="Contents">
        <ol className="reader-contents">
          {titles.map((title, i) => (
            <li key={i}>
              <button type="button" className="reader-contents__item" aria-current={i === index ? 'true' : undefined} onClick={() => onPick(i)}>
                <span className="reader-contents__number tabular">{i < ideas ? i + 1 : ''}</span>
                <span>{title}</span>
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {children}
    </Dialog>
  );
}
