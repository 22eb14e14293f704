import { Suspense, lazy, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Book } from '@/api/types';
import { useListening } from '@/shared/listening/listening';
import { BookIntro } from '@/features/reading-progress/reading/components/BookIntro';
import { CompletionCard } from '@/features/reading-progress/reading/components/CompletionCard';
import { ContentsPanel } from '@/shared/reader/ContentsPanel';
import { ListenIcon } from '@/features/reading-progress/reading/components/ListenButton';
import { NextBooks } from '@/features/reading-progress/reading/components/NextBooks';
import { OptionsPanel } from '@/features/reading-progress/reading/components/OptionsPanel';
import { OtherDevice } from '@/features/reading-progress/reading/components/OtherDevice';
import { OwnRating, cacheOwnRating } from '@/features/reading-progress/reading/components/OwnRating';
import { RatingForm } from '@/features/reading-progress/reading/components/RatingForm';
import type { RatingDraft } from '@/features/reading-progress/reading/components/RatingForm';
import { Recap } from '@/features/reading-progress/reading/components/Recap';
import { ReaderBar } from '@/shared/reader/ReaderBar';
import { AgainNotice, AllowanceNotice, JoinNotice } from '@/features/reading-progress/reading/components/ReaderNotices';
import { SectionLinks } from '@/shared/reader/SectionLinks';
import { SectionView } from '@/shared/reader/SectionView';
import { goToText } from '@/features/reading-progress/reading/goToText';
import { openAt } from '@/features/reading-progress/reading/opening';
import { bounded, raiseHeadings } from '@/shared/reader/position';
import { useArrowKeys } from '@/shared/reader/useArrowKeys';
import { useCompletion } from '@/features/reading-progress/reading/useCompletion';
import { useAutoHideBar } from '@/shared/reader/useAutoHideBar';
import { useEndOfText } from '@/features/reading-progress/reading/useEndOfText';
import { useParagraph } from '@/features/reading-progress/reading/useParagraph';
import { useReadingPosition } from '@/features/reading-progress/reading/useReadingPosition';
import { useTouch } from '@/shared/reader/useTouch';
import { useSections } from '@/shared/reader/useSections';
import { ideaOf } from '@/lib/format';
import type { BookSection } from '@/lib/sections';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { ProgressBar } from '@/ui/ProgressBar';
import { Prose } from '@/ui/Prose';

// Loaded when a recording plays.
const FollowAlong = lazy(() => import(/* webpackChunkName: "follow-along" */ '@/features/reading-progress/reading/components/FollowAlong'));

interface Props {
  book: Book;
  /** The book's id or slug, as in the URL. */
  id: string;
  sections: BookSection[];
  /** The reading member's id; null for a visitor. */
  member: number | null;
  /** The page has no header. */
  bare: boolean;
  /** The member has just pressed a button that opened it: the text takes the focus. */
  wasOpened: boolean;
}

const RATING_TITLE = 'Rate this summary';

/** The full text, one section at a time, with the rating form after the last (reading-progress.reader-controls). */
export function Reader({ book, id, sections, member, bare, wasOpened }: Props) {
  const signedIn = member !== null;
  const lastText = sections.length - 1;
  const [rating, setRating] = useState<'open' | 'thanked' | 'hidden'>(signedIn && !book.hasRatingsFromUser ? 'open' : 'hidden');
  const [draft, setDraft] = useState<RatingDraft>({ rating: 0, feedback: '' });
  const total = sections.length + (rating === 'hidden' ? 0 : 1);
  const [opening] = useState(() => openAt(book, member, total, lastText));
  const { start, again } = opening;
  const { index, turn, turnTo } = useSections(start);
  const [panel, setPanel] = useState<'contents' | 'options' | null>(null);
  const completion = useCompletion();
  const position = useReadingPosition({ book, member, opening, lastText, completion });
  const end = useRef<HTMLSpanElement>(null);
  const unfinished = signedIn && completion.finishedAt === null;
  const isThere = useParagraph(index, index === start ? opening.paragraph : null, (paragraph) => position.saveParagraph(index, paragraph));
  useEndOfText(end, unfinished && isThere && index === lastText, () => position.finish('read', index));
  // The button stays when the end comes into view, so that it does not disappear as the reader reaches for it.
  const press = unfinished ? () => position.finish('pressed', index) : completion.press;
  const onFinish = signedIn && !book.completed && !completion.isPressed && (unfinished ? index >= lastText : index === completion.finishedAt) ? press : null;
  const listens = useListening((now) => now?.track.bookId === book.id);
  const bar = useRef<HTMLDivElement>(null);
  useAutoHideBar(bar);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (wasOpened) goToText(true);
  }, [wasOpened]);

  const goTo = (wanted: number, isReadOut = false) => {
    const next = bounded(wanted, total);
    if (!isReadOut) setPanel(null);
    if (next === index) return;
    turnTo(next, isReadOut);
    if (rating === 'thanked' && next <= lastText) setRating('hidden');
    position.save(next);
  };
  useArrowKeys((step) => goTo(index + step));
  useTouch(root, bar, (step) => goTo(index + step));

  const section = sections[index];
  const titleOf = (i: number) => (i < sections.length ? sections[i]?.title || 'Introduction' : RATING_TITLE);
  const html = useMemo(() => (section ? raiseHeadings(section.html) : ''), [section]);

  return (
    <>
      {index === 0 ? <BookIntro book={book} id={id} member={member} again={again} /> : null}
      <div className="reader" ref={root}>
        <div className="reader__progress">
          <ProgressBar label="Reading progress" value={index + 1} max={total} text={section ? ideaOf(index + 1, sections.length) : RATING_TITLE} />
        </div>
        <ReaderBar
          {...{ bar, index, total }}
          title={book.title}
          leave={
            bare ? (
              <Link className="icon-button reader__leave" to={signedIn ? paths.home : paths.books} aria-label="Close the book" title="Close the book">
                <Icon name="close" />
              </Link>
            ) : null
          }
          onTurn={goTo}
          onPanel={setPanel}
        >
          <ListenIcon book={book} member={member} section={Math.min(index, lastText)} opened={start} />
        </ReaderBar>
        <SectionView key={index} turn={turn} title={titleOf(index)} place={`${index + 1}/${total}`} bookTitle={book.title} first={index === 0}>
          {index === start ? <AllowanceNotice book={book} /> : null}
          {again && index === 0 ? <AgainNotice /> : null}
          {section ? <Prose className="reader__text" html={html} /> : null}
          {index === lastText ? (
            <>
              <span key={index} className="reader__end" ref={end} />
              <Recap sections={sections} onPick={(to) => (to === index ? goToText() : goTo(to))} />
            </>
          ) : null}
          {!section && rating !== 'hidden' ? (
            <RatingForm
              book={book}
              draft={draft}
              onDraft={setDraft}
              onRated={(own) => {
                setRating('thanked');
                cacheOwnRating(id, own);
              }}
            />
          ) : null}
          {index === lastText && rating === 'hidden' && book.ownRating ? (
            <OwnRating book={book} id={id} rating={book.ownRating} onTakenBack={() => setRating('open')} />
          ) : null}
          {index === lastText && !signedIn ? <JoinNotice /> : null}
          {completion.shown && index === completion.finishedAt ? (
            <CompletionCard
              book={book}
              completion={completion.shown}
              takesFocus={completion.takesFocus}
              onFocused={completion.hadFocus}
              onClose={() => {
                completion.close();
                // The focus would be lost with the card.
                root.current?.querySelector<HTMLElement>('.reader__title')?.focus({ preventScroll: true });
              }}
              onRate={rating === 'open' && index === lastText ? () => goTo(lastText + 1) : null}
            />
          ) : null}
          <SectionLinks
            {...{ index, total, titleOf }}
            onTurn={goTo}
            onFinish={onFinish}
            end={
              <LinkButton className="reader__more" large to={signedIn ? paths.home : paths.books}>
                {signedIn ? 'Back to My Home' : 'More summaries'}
              </LinkButton>
            }
          />
        </SectionView>
        {signedIn && index >= lastText && !(completion.shown && index === completion.finishedAt) ? <NextBooks read={book.id} /> : null}
      </div>

      {listens ? (
        <Suspense fallback={null}>
          <FollowAlong bookId={book.id} index={index} onTurn={(to) => goTo(to, true)} />
        </Suspense>
      ) : null}
      <OtherDevice
        question={position.other.question}
        titleOf={titleOf}
        onGo={(to) => {
          position.other.answer();
          goTo(to);
        }}
        onStay={() => {
          position.other.answer();
          // Saved, so that the other device asks too.
          position.save(index);
          // The focus would be lost with the card.
          bar.current?.parentElement?.querySelector<HTMLElement>('.reader__title')?.focus({ preventScroll: true });
        }}
      />
      <ContentsPanel
        open={panel === 'contents'}
        onClose={() => setPanel(null)}
        titles={Array.from({ length: total }, (_, i) => titleOf(i))}
        ideas={sections.length}
        index={index}
        onPick={goTo}
      />
      <OptionsPanel open={panel === 'options'} onClose={() => setPanel(null)} book={book} id={id} />
    </>
  );
}
