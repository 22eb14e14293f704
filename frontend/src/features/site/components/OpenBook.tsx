import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Book } from '@/api/types';
import { sectionTitle, splitSections } from '@/lib/sections';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';
import { Prose } from '@/ui/Prose';

/** A real summary shown as an open book: contents on the left page, a key idea on the right one. Its pages can be turned. */
export function OpenBook({ book }: { book: Book }) {
  const sections = useMemo(() => splitSections(book.body ?? book.truncatedBody ?? ''), [book]);
  const [at, setAt] = useState(0);
  const [touched, setTouched] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const section = sections[at];
  if (!section) return null;

  const turn = (to: number) => {
    setAt(to);
    setTouched(true);
    // Scrolls to the new page's heading, which on a phone may be below the contents.
    requestAnimationFrame(() => {
      heading.current?.focus({ preventScroll: true });
      if ((heading.current?.getBoundingClientRect().top ?? 0) < 0) heading.current?.scrollIntoView({ block: 'start' });
    });
  };

  return (
    <article className="open-book" aria-labelledby="open-book-title">
      <div className="open-book__left">
        <div className="open-book__book">
          {book.image ? <img className="open-book__cover" src={book.image} alt="" width="600" height="900" /> : null}
          <div>
            <h2 className="open-book__title" id="open-book-title">
              <Link to={paths.bookAt(book.subid, at)}>{book.title}</Link>
            </h2>
            <p className="open-book__author">{book.author}</p>
            <p className="open-book__meta">{`${book.minutes} min · ${sections.length} key ideas`}</p>
          </div>
        </div>
        <ol className="open-book__contents">
          {sections.map(({ title }, i) => (
            <li key={i}>
              <button type="button" className="open-book__entry" aria-current={i === at ? 'true' : undefined} onClick={() => turn(i)}>
                <span className="open-book__number">{i + 1}</span>
                <span>{sectionTitle(title)}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      <div className="open-book__right">
        <div key={at} className={touched ? 'open-book__leaf open-book__leaf--turned' : 'open-book__leaf'}>
          <h3 className="open-book__idea" ref={heading} tabIndex={-1}>
            {sectionTitle(section.title)}
          </h3>
          <Prose className="open-book__text" html={section.html} />
        </div>
        <div className="open-book__foot">
          <button type="button" className="icon-button" aria-label="Previous idea" disabled={at === 0} onClick={() => turn(at - 1)}>
            <Icon name="arrowLeft" />
          </button>
          <span className="open-book__folio">{`${at + 1}/${sections.length}`}</span>
          <button type="button" className="icon-button" aria-label="Next idea" disabled={at === sections.length - 1} onClick={() => turn(at + 1)}>
            <Icon name="arrowRight" />
          </button>
          <Link className="link link--more open-book__whole" to={paths.bookAt(book.subid, at)}>
            Open it in the reader
          </Link>
        </div>
      </div>
    </article>
  );
}
