import { useId } from 'react';
import { Link } from 'react-router';
import { plural } from '@/lib/format';
import { sectionTitle } from '@/lib/sections';
import { paths } from '@/paths';
import { charsOf } from '@/shared/study/chars';
import type { HighlightedText } from '@/shared/study/highlights/highlightedText';
import { usePopularPassages } from '@/shared/study/highlights/usePopularPassages';
import { useTextHighlights } from '@/shared/study/highlights/useTextHighlights';
import '@/shared/study/highlights/highlights.css';

interface Props {
  text: HighlightedText;
  member: number;
  /** Turns to a highlight, which takes the focus. */
  onShow: (id: number) => void;
  /** Turns to a section. */
  onTurn: (index: number) => void;
}

/** The member's highlights of the text in its table of contents, in the order of the text, and the passages that many have highlighted. */
export default function SectionHighlights({ text, member, onShow, onTurn }: Props) {
  const { texts, placed } = useTextHighlights(text, member);
  const popular = usePopularPassages(text);
  const listName = useId();
  const isSource = 'source' in text;
  const parts = 'book' in text ? text.sections : isSource ? [] : text.ideas;
  const titleOf = (index: number) => sectionTitle(parts[index]?.title ?? '');
  const there = placed.flatMap(({ record, place }) => (place ? [{ record, place }] : []));
  const gone = placed.length - there.length;
  return (
    <>
      {placed.length > 0 ? (
        <section className="section-highlights" aria-labelledby={listName}>
          <h3 className="section-highlights__title" id={listName}>
            {isSource ? 'Your highlights in the source' : 'Your highlights'}
          </h3>
          <ul className="section-highlights__list">
            {there.map(({ record: { id, state }, place }) => (
              <li key={id}>
                <button type="button" className="section-highlights__item" onClick={() => onShow(id)}>
                  <span className={`section-highlights__words section-highlights__words--${state.color.value}`}>{state.anchor?.exact}</span>
                  {state.note.value === '' ? null : <span className="section-highlights__note">{state.note.value}</span>}
                  {isSource ? null : <span className="section-highlights__place">{titleOf(place.section)}</span>}
                </button>
              </li>
            ))}
          </ul>
          {gone > 0 ? (
            <p className="section-highlights__gone">
              {plural(gone, 'passage')} that you highlighted {gone === 1 ? 'is' : 'are'} no longer in the text.{' '}
              <Link to={paths.highlights}>See all highlights</Link>
            </p>
          ) : null}
        </section>
      ) : null}
      {popular.length > 0 ? (
        <section className="section-highlights" aria-labelledby="popular-passages">
          <h3 className="section-highlights__title" id="popular-passages">
            Popular passages
          </h3>
          <ul className="section-highlights__list">
            {popular.map(({ section, start, end, members }) => (
              <li key={`${section} ${start}`}>
                <button type="button" className="section-highlights__item" onClick={() => onTurn(section)}>
                  <span className="section-highlights__words">{charsOf(texts[section] ?? '', start, end)}</span>
                  <span className="section-highlights__place">
                    {titleOf(section)} · {plural(members, 'member')}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
