import type { Book } from '@/api/types';
import { BookAbout } from '@/features/reading-progress/reading/components/BookAbout';
import { BookIntro } from '@/features/reading-progress/reading/components/BookIntro';
import { Paywall } from '@/features/reading-progress/reading/components/Paywall';
import { sectionTitle } from '@/lib/sections';
import { Prose } from '@/ui/Prose';

/** A book whose full text this viewer may not read: its beginning, the paywall, and the table of contents. */
export function Preview({ book, id, member }: { book: Book; id: string; member: number | null }) {
  return (
    <>
      <BookIntro book={book} id={id} member={member} />
      {book.truncatedBody ? (
        <section className="book-preview">
          <h2 className="visually-hidden book-preview__title" tabIndex={-1}>
            Preview
          </h2>
          <Prose className="reader__text" html={book.truncatedBody} />
        </section>
      ) : null}
      <Paywall book={book} id={id} member={member} />
      {book.sections.length > 0 ? (
        <section className="book-contents" aria-labelledby="contents-title">
          <h2 className="book-contents__title" id="contents-title">
            What’s inside
          </h2>
          <ol className="book-contents__list">
            {book.sections.map((section) => (
              <li key={section.place} className="book-contents__item">
                {sectionTitle(section.title)}
              </li>
            ))}
          </ol>
        </section>
      ) : null}
      <BookAbout book={book} />
    </>
  );
}
