import { Suspense, lazy, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Book } from '@/api/types';
import { useListening } from '@/shared/listening/listening';
import { BookIntro } from '@/features/reading-progress/reading/components/BookIntro';
import { ContentsPanel } from '@/shared/reader/ContentsPanel';
import { ListenIcon } from '@/features/reading-progress/reading/components/ListenButton';
import { OptionsPanel } from '@/features/reading-progress/reading/components/OptionsPanel';
import { OtherDevice } from '@/features/reading-progress/reading/components/OtherDevice';
import type { RatingDraft } from '@/features/reading-progress/reading/components/RatingForm';
import { ReaderSkeleton } from '@/features/reading-progress/reading/components/ReaderSkeleton';
import { Recap } from '@/features/reading-progress/reading/components/Recap';
import { ReaderBar } from '@/shared/reader/ReaderBar';
import { AgainNotice, AllowanceNotice, JoinNotice } from '@/features/reading-progress/reading/components/ReaderNotices';
import { SectionLinks } from '@/shared/reader/SectionLinks';
import { SectionView } from '@/shared/reader/SectionView';
import { Highlights, HighlightsInContents, highlightInAddress } from '@/shared/study/highlights/Highlights';
import { cacheOwnRating } from '@/features/reading-progress/reading/cacheOwnRating';
import { goToText } from '@/features/reading-progress/reading/goToText';
import { rememberGoneOn } from '@/features/reading-progress/reading/returning';
import { openAt } from '@/features/reading-progress/reading/opening';
import type { Opening } from '@/features/reading-progress/reading/opening';
import { bounded, raiseHeadings } from '@/shared/reader/position';
import { useArrowKeys } from '@/shared/reader/useArrowKeys';
import { useCompletion } from '@/features/reading-progress/reading/useCompletion';
import { useAutoHideBar } from '@/shared/reader/useAutoHideBar';
import { useEndOfText } from '@/shared/reader/useEndOfText';
import { linkedIdeasChunk } from '@/features/reading-progress/reading/linkedIdeasChunk';
import { goToParagraph, useParagraph } from '@/features/reading-progress/reading/useParagraph';
import { readerEndChunk } from '@/features/reading-progress/reading/readerEndChunk';
import { whereYouWereChunk } from '@/features/reading-progress/reading/whereYouWereChunk';
import type { WhereYouWereModule } from '@/features/reading-progress/reading/whereYouWereChunk';
import { useReadingPosition } from '@/features/reading-progress/reading/useReadingPosition';
import { useTouch } from '@/shared/reader/useTouch';
import { useSections } from '@/shared/reader/useSections';
import { ideaOf } from '@/lib/format';
import { sectionTitle } from '@/lib/sections';
import type { BookSection } from '@/lib/sections';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { ProgressBar } from '@/ui/ProgressBar';
import { Prose } from '@/ui/Prose';
import { SkeletonText } from '@/ui/Skeleton';
import { useChunk } from '@/ui/chunk';

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

/** For when the element that had the focus is gone. */
const focusTitle = (reader: HTMLElement | null) => reader?.querySelector<HTMLElement>('.reader__title')?.focus({ preventScroll: true });

/** Opens the text at the reader's place. It waits for the chunks of what it opens with, so that nothing moves when they arrive. */
export function Reader(props: Props) {
  const { book, member, sections } = props;
  const [opening] = useState(() => openAt(book, member, sections.length));
  const end = useChunk(readerEndChunk, opening.atEnd);
  const where = useChunk(whereYouWereChunk, opening.isReturn);
  const isWaiting = (opening.atEnd && !end) || (opening.isReturn && !where);
  return isWaiting ? <ReaderSkeleton /> : <Sections {...props} opening={opening} WhereYouWere={where?.WhereYouWere ?? null} />;
}

type SectionsProps = Props & {
  opening: Opening;
  /** Null for a member who does not come back after a while. */
  WhereYouWere: WhereYouWereModule['WhereYouWere'];
};

/** The full text, one section at a time, with the rating form after the last (reading-progress.reader-controls). */
function Sections({ book, id, sections, member, bare, wasOpened, opening, WhereYouWere }: SectionsProps) {
  const signedIn = member !== null;
  const lastText = sections.length - 1;
  const [rating, setRating] = useState<'open' | 'thanked' | 'hidden'>(signedIn && !book.hasRatingsFromUser ? 'open' : 'hidden');
  const [draft, setDraft] = useState<RatingDraft>({ rating: 0, feedback: '' });
  const total = sections.length + (rating === 'hidden' ? 0 : 1);
  const { start, again } = opening;
  const { index, turn, turnTo } = useSections(start);
  const [isReturn, setIsReturn] = useState(opening.isReturn && WhereYouWere !== null);
  const [shown, setShown] = useState(highlightInAddress);
  const text = { book, sections };
  const [panel, setPanel] = useState<'contents' | 'options' | null>(null);
  // Loaded once the text is shown, not near its end: the network may be lost in between.
  const end = useChunk(readerEndChunk, signedIn, index);
  const ideas = useChunk(linkedIdeasChunk);
  const completion = useCompletion();
  const position = useReadingPosition({ book, member, opening, lastText, completion });
  const endOfText = useRef<HTMLSpanElement>(null);
  const unfinished = signedIn && completion.finishedAt === null;
  const isThere = useParagraph(index, index === start && !isReturn ? opening.paragraph : null, (paragraph) => position.saveParagraph(index, paragraph));
  useEndOfText(endOfText, unfinished && isThere && index === lastText, () => position.finish('read', index));
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
  useEffect(() => {
    // Finish is gone, and its card, which takes the focus otherwise, is not here yet or could not be loaded.
    if (completion.takesFocus && document.activeElement === document.body) focusTitle(root.current);
  }, [completion.takesFocus]);

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
  const closeReturn = () => {
    setIsReturn(false);
    rememberGoneOn(book.id, opening.since);
  };

  const section = sections[index];
  const titleOf = (i: number) => (i < sections.length ? sectionTitle(sections[i]?.title ?? '') : RATING_TITLE);
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
          {WhereYouWere && member !== null && isReturn && turn === 'opened' ? (
            <WhereYouWere
              {...{ member, sections, start }}
              bookId={book.id}
              since={opening.since}
              onGoOn={() => {
                // At once: the paragraph moves up when the panel is gone.
                flushSync(closeReturn);
                goToText(true);
                if (opening.paragraph !== null) goToParagraph(opening.paragraph);
              }}
              onStartAgain={() => {
                closeReturn();
                goTo(0);
              }}
            />
          ) : null}
          {section ? <Prose className="reader__text" html={html} /> : null}
          {index === lastText ? <span key={index} className="reader__end" ref={endOfText} /> : null}
          {section && ideas ? <ideas.LinkedIdeas book={book.id} index={index} /> : null}
          {index === lastText ? <Recap sections={sections} onPick={(to) => (to === index ? goToText() : goTo(to))} /> : null}
          {!section && !end ? (
            <div role="status">
              <span className="visually-hidden">Loading the rating form</span>
              <SkeletonText width={40} />
              <SkeletonText width={80} />
            </div>
          ) : null}
          {end && !section && rating !== 'hidden' ? (
            <end.RatingForm
              book={book}
              draft={draft}
              onDraft={setDraft}
              onRated={(own) => {
                setRating('thanked');
                cacheOwnRating(id, own);
              }}
            />
          ) : null}
          {end && index === lastText && rating === 'hidden' && book.ownRating ? (
            <end.OwnRating book={book} id={id} rating={book.ownRating} onTakenBack={() => setRating('open')} />
          ) : null}
          {index === lastText && !signedIn ? <JoinNotice /> : null}
          {end && completion.shown && index === completion.finishedAt ? (
            <end.CompletionCard
              book={book}
              completion={completion.shown}
              takesFocus={completion.takesFocus}
              onFocused={completion.hadFocus}
              onClose={() => {
                completion.close();
                // The focus would be lost with the card.
                focusTitle(root.current);
              }}
              onRate={rating === 'open' && index === lastText ? () => goTo(lastText + 1) : null}
            />
          ) : null}
          {section || end ? (
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
          ) : null}
        </SectionView>
        {end && signedIn && index >= lastText && !(completion.shown && index === completion.finishedAt) ? <end.NextBooks read={book.id} /> : null}
      </div>

      {signedIn ? <Highlights {...{ root, text, index, member, shown }} onShown={() => setShown(null)} onTurn={goTo} /> : null}
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
          focusTitle(root.current);
        }}
      />
      <ContentsPanel
        open={panel === 'contents'}
        onClose={() => setPanel(null)}
        titles={Array.from({ length: total }, (_, i) => titleOf(i))}
        ideas={sections.length}
        index={index}
        onPick={goTo}
      >
        {signedIn ? (
          <HighlightsInContents
            {...{ text, member }}
            onShow={(id) => {
              setPanel(null);
              setShown(id);
            }}
            onTurn={goTo}
          />
        ) : null}
      </ContentsPanel>
      <OptionsPanel open={panel === 'options'} onClose={() => setPanel(null)} book={book} id={id} member={member} />
    </>
  );
}
