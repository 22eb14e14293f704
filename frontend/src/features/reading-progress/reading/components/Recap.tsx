import { useId } from 'react';
import type { BookSection } from '@/lib/sections';

interface Props {
  sections: readonly BookSection[];
  /** Leads to a section. */
  onPick: (index: number) => void;
}

/** The headings of a summary's sections as a list, after the last one (catalogue.summary-recap). */
export function Recap({ sections, onPick }: Props) {
  const titleId = useId();
  const ideas = sections.flatMap(({ title }, index) => (title === '' ? [] : [{ title, index }]));
  if (ideas.length < 2) return null;
  return (
    <nav className="recap" aria-labelledby={titleId}>
      <h3 className="recap__title" id={titleId}>
        The key ideas in short
      </h3>
      <ol className="recap__list">
        {ideas.map(({ title, index }) => (
          <li key={index}>
            <button type="button" className="reader-contents__item" onClick={() => onPick(index)}>
              <span className="reader-contents__number tabular">{index + 1}</span>
              <span>{title}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
