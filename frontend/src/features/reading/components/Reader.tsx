import { Suspense, lazy, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Book, Place as Stored } from '@/api/types';
import { useListening } from '@/domain/listening';
import { deviceId, keepUnsent, knownPlace, nextMoment, rememberPlace } from '@/domain/places';
import { sendPlace, worthRetrying } from '@/domain/resendPlaces';
import { chooseTheme } from '@/domain/theme';
import { useTheme } from '@/domain/useTheme';
import { BookIntro } from '@/features/reading/components/BookIntro';
import { CompletionDialog } from '@/features/reading/components/CompletionDialog';
import type { Completion } from '@/features/reading/components/CompletionDialog';
import { ListenIcon } from '@/features/reading/components/ListenButton';
import { NextBooks } from '@/features/reading/components/NextBooks';
import { OtherDevice } from '@/features/reading/components/OtherDevice';
import { ContentsPanel, OptionsPanel } from '@/features/reading/components/Panels';
import { AccountLinks } from '@/features/reading/components/Paywall';
import { RatingForm } from '@/features/reading/components/RatingForm';
import type { RatingDraft } from '@/features/reading/components/RatingForm';
import { begin } from '@/features/reading/devices';
import type { StoredPlace } from '@/features/reading/devices';
import { addressAt, bounded, raiseHeadings, startAt } from '@/features/reading/position';
import { createPlaceSaver } from '@/features/reading/saver';
import type { Place, PlaceSaver } from '@/features/reading/saver';
import { useFontSize } from '@/features/reading/useFontSize';
import { useOtherDevice } from '@/features/reading/useOtherDevice';
import { useQuietBar } from '@/features/reading/useQuietBar';
import { arrowKeyStep } from '@/lib/arrowKeys';
import { freeLeft } from '@/lib/format';
import type { BookSection } from '@/lib/sections';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { ProgressBar } from '@/ui/ProgressBar';
import { Prose } from '@/ui/Prose';
import { dropToast, toast } from '@/ui/toast';

// Comes when somebody listens.
const FollowAlong = lazy(() => import(/* webpackChunkName: "follow-along" */ '@/features/reading/components/FollowAlong'));

/** How a section came to be shown; 'read out': the voice went on to it, and the focus stays where it is. */
type Turn = 'opened' | 'turned' | 'read out';

interface Props {
  book: Book;
  /** The book as the address names it. */
  id: string;
  sections: BookSection[];
  /** Who reads, by id; null for a visitor. */
  member: number | null;
  /** The page has no header: the way out is here. */
  bare: boolean;
}

const RATING_TITLE = 'Rate this summary';

/** The full text, one section at a time (member.md §2, §4). */
export function Reader({ book, id, sections, member, bare }: Props) {
  const signedIn = member !== null;
  const lastText = sections.length - 1;
  const [rating, setRating] = useState<'open' | 'thanked' | 'hidden'>(signedIn && !book.hasRatingsFromUser ? 'open' : 'hidden');
  const [draft, setDraft] = useState<RatingDraft>({ rating: 0, feedback: '' });
  const total = sections.length + (rating === 'hidden' ? 0 : 1);
  const [{ start, question, since, again, reached, first }] = useState(() => openAt(book, member, total, lastText));
  const [index, setIndex] = useState(start);
  const [turn, setTurn] = useState<Turn>('opened');
  const [panel, setPanel] = useState<'contents' | 'options' | null>(null);
  // A book that opens on its last section (its only one, or a completion that was never acknowledged) completes at once.
  // Who comes to that section by a link, as from a search, has yet to read it.
  const completesAtOnce = signedIn && !book.completed && start === lastText && reached;
  const completed = useRef(book.completed || completesAtOnce);
  const [completion, setCompletion] = useState<Completion | null>(completesAtOnce ? { state: 'saving' } : null);
  // What the voice completes is told when it has ended: a dialog would speak over it.
  const listens = useListening((now) => now?.track.bookId === book.id);
  const heardOut = useListening((now) => now?.track.bookId !== book.id || now.ended);
  const [fontSize, cycleFontSize] = useFontSize();
  const theme = useTheme();
  const bar = useRef<HTMLDivElement>(null);
  useQuietBar(bar);

  const [heldBack, setHeldBack] = useState(false);
  const other = useOtherDevice(book.id, signedIn, question, { index: start, since });
  const saver = usePlaceSaver(book.id, member, setCompletion, other.hear);

  /** Says that the reader is at a section now. */
  const save = (next: number) => {
    if (member === null) return;
    const place = { position: next, completed: next === lastText, at: nextMoment() };
    rememberPlace(member, book.id, place);
    saver.current?.save(place);
    other.turned({ index: next, since: place.at });
    if (!place.completed) return;
    completed.current = true;
    setCompletion({ state: 'saving' });
  };

  const goTo = (wanted: number, readOut = false) => {
    const next = bounded(wanted, total);
    if (!readOut) setPanel(null);
    if (next === index) return;
    setIndex(next);
    // The focus goes along only when it would be lost with the section that goes.
    setTurn(readOut && !document.activeElement?.closest('.reader__section') ? 'read out' : 'turned');
    setHeldBack(readOut);
    // The place stands in the address for a reload or a shared link; history keeps one entry for the book.
    window.history.replaceState(window.history.state, '', addressAt(window.location, next));
    if (rating === 'thanked' && next <= lastText) setRating('hidden');
    if (index === lastText && next > lastText && !completed.current) save(lastText);
    save(next);
  };

  // Whoever opens a book finds it in the history, though they read no further than where it began.
  const savesAtOnce = completesAtOnce || (signedIn && first);
  useEffect(() => {
    if (savesAtOnce) saver.current?.save({ position: start, completed: completesAtOnce, at: nextMoment() });
  }, [savesAtOnce, completesAtOnce, saver, start]);

  const onKey = useRef<(event: KeyboardEvent) => void>(undefined);
  useEffect(() => {
    onKey.current = (event) => {
      const step = arrowKeyStep(event);
      if (step === null) return;
      event.preventDefault();
      goTo(index + step);
    };
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey.current?.(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  const section = sections[index];
  const titleOf = (i: number) => (i < sections.length ? sections[i]?.title || 'Introduction' : RATING_TITLE);
  const html = useMemo(() => (section ? raiseHeadings(section.html) : ''), [section]);

  return (
    <>
      {index === 0 ? <BookIntro book={book} id={id} member={member} again={again} /> : null}
      <div className="reader">
        <div className="reader__progress">
          <ProgressBar label="Reading progress" value={index + 1} max={total} text={`Section ${index + 1} of ${total}`} />
        </div>
        <div className="reader__bar" ref={bar} role="group" aria-label="Reader menu">
          <div className="reader__bar-side">
            {bare ? (
              <Link className="icon-button reader__leave" to={signedIn ? paths.home : paths.books} aria-label="Leave the book" title="Leave the book">
                <Icon name="close" />
              </Link>
            ) : null}
            <IconButton className="reader__step" icon="chevronLeft" label="Previous section" disabled={index === 0} onClick={() => goTo(index - 1)} />
            <IconButton icon="contents" label="Contents" aria-haspopup="dialog" onClick={() => setPanel('contents')} />
          </div>
          <p className="reader__bar-title">
            <span className="reader__bar-book">{book.title}</span> <span className="tabular">{`${index + 1}/${total}`}</span>
          </p>
          <div className="reader__bar-side reader__bar-side--end">
            <ListenIcon book={book} member={member} section={Math.min(index, lastText)} opened={start} />
            <IconButton icon="letter" label={`Font size ${fontSize} of 3`} onClick={cycleFontSize} />
            <IconButton icon="options" label="Options" aria-haspopup="dialog" onClick={() => setPanel('options')} />
            <IconButton
              icon={theme === 'dark' ? 'sun' : 'moon'}
              label="Dark mode"
              aria-pressed={theme === 'dark'}
              onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
            />
            <IconButton className="reader__step" icon="chevronRight" label="Next section" disabled={index === total - 1} onClick={() => goTo(index + 1)} />
          </div>
        </div>

        <SectionView key={index} turn={turn} title={titleOf(index)} place={`${index + 1}/${total}`} bookTitle={book.title} first={index === 0}>
          {index === start ? <AllowanceNotice book={book} /> : null}
          {again && index === 0 ? <p className="reader__allowance">You have finished this summary. Reading again from the beginning.</p> : null}
          {section ? <Prose className="reader__text" html={html} /> : null}
          {!section && rating !== 'hidden' ? (
            <RatingForm book={book} draft={draft} onDraft={setDraft} onRated={() => setRating('thanked')} />
          ) : null}
          {index === lastText && !signedIn ? (
            <aside className="reader__join">
              <h3 className="reader__join-title">Liked this one?</h3>
              <p>With a free account you read three more summaries whole, and Pith remembers where you stopped.</p>
              <div className="paywall__actions">
                <AccountLinks />
              </div>
            </aside>
          ) : null}
          <nav className="reader__turn" aria-label="Sections">
            {index > 0 ? (
              <TurnButton direction="Previous" title={titleOf(index - 1)} onClick={() => goTo(index - 1)} />
            ) : (
              <span />
            )}
            {index < total - 1 ? (
              <TurnButton direction="Next" title={titleOf(index + 1)} onClick={() => goTo(index + 1)} />
            ) : (
              <LinkButton className="reader__more" large to={signedIn ? paths.home : paths.books}>
                {signedIn ? 'Back to my home' : 'More summaries'}
              </LinkButton>
            )}
          </nav>
        </SectionView>
        {signedIn && index >= lastText ? <NextBooks read={book.id} /> : null}
      </div>

      {listens ? (
        <Suspense fallback={null}>
          <FollowAlong bookId={book.id} index={index} onTurn={(section) => goTo(section, true)} />
        </Suspense>
      ) : null}
      <OtherDevice
        question={other.question}
        titleOf={titleOf}
        onGo={(to) => {
          other.answer();
          goTo(to);
        }}
        onStay={() => {
          other.answer();
          // Said to the server, so that the other device asks in its turn.
          if (index !== lastText) save(index);
          // The card goes, and the focus would go with it.
          bar.current?.parentElement?.querySelector<HTMLElement>('.reader__title')?.focus({ preventScroll: true });
        }}
      />
      <ContentsPanel open={panel === 'contents'} onClose={() => setPanel(null)} titles={Array.from({ length: total }, (_, i) => titleOf(i))} index={index} onPick={goTo} />
      <OptionsPanel open={panel === 'options'} onClose={() => setPanel(null)} book={book} id={id} />
      <CompletionDialog
        book={book}
        completion={heldBack && !heardOut ? null : completion}
        onClose={() => setCompletion(null)}
        onRate={
          rating === 'open'
            ? () => {
                setCompletion(null);
                goTo(lastText + 1);
              }
            : null
        }
      />
    </>
  );
}

/** A section with its head. When the reader has turned to it, the focus and the view go to its beginning. */
function SectionView(props: { turn: Turn; title: string; place: string; bookTitle: string; first: boolean; children: ReactNode }) {
  const { turn, title, place, bookTitle, first, children } = props;
  const placeId = useId();
  const root = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (turn === 'opened') return;
    if (turn === 'turned') heading.current?.focus({ preventScroll: true });
    root.current?.scrollIntoView({ block: 'start', behavior: 'instant' });
    // Once for each section, which mounts anew at each turn.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <section ref={root} className={turn === 'opened' ? 'reader__section' : 'reader__section reader__section--turned'}>
      <div className="reader__column">
        <div className="reader__eyebrow">
          {first ? <p className="reader__book">{bookTitle}</p> : <h1 className="reader__book">{bookTitle}</h1>}
          <p className="reader__place tabular" id={placeId}>
            {place}
          </p>
        </div>
        <h2 className="reader__title" ref={heading} tabIndex={-1} aria-describedby={placeId}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}

function TurnButton({ direction, title, onClick }: { direction: 'Previous' | 'Next'; title: string; onClick: () => void }) {
  const id = useId();
  return (
    <div className={`reader__turn-${direction.toLowerCase()}`}>
      <Button kind={direction === 'Next' ? 'primary' : 'secondary'} large onClick={onClick} aria-describedby={id}>
        {direction === 'Previous' ? <Icon name="arrowLeft" /> : null}
        {direction}
        {direction === 'Next' ? <Icon name="arrowRight" /> : null}
      </Button>
      <p className="reader__turn-title" id={id}>
        {title}
      </p>
    </div>
  );
}

/** What a free member has left (member.md §6). The last one is said once, on the visit that took it. */
function AllowanceNotice({ book }: { book: Book }) {
  if (book.free || !book.allowance) return null;
  if (book.lastFree) {
    return (
      <div className="reader__notice">
        <Alert kind="info">
          This was your last free summary. It stays open to you. <Link to={paths.try}>Upgrade to read without limits</Link>
        </Alert>
      </div>
    );
  }
  return <p className="reader__allowance">{freeLeft(book.allowance)}</p>;
}

/** Where the book opens on this device, what is asked about others, and since when this device knows. */
function openAt(book: Book, member: number | null, total: number, lastText: number) {
  if (member === null) {
    return { start: startAt({ search: window.location.search, saved: book.position, total }), question: null, since: 0, again: false, reached: false, first: false };
  }
  const known = knownPlace(member, book.id);
  // The server knows a place without a time when nothing was ever saved.
  const stored: StoredPlace | null = book.place ?? (book.position > 0 ? { position: book.position, at: 0, device: null } : null);
  const begun = begin({ search: window.location.search, total, stored, known, device: deviceId(), end: book.completed ? lastText : null });
  const { start } = begun;
  const reached = lastText === 0 || known?.position === start || stored?.position === start;
  return { ...begun, since: Math.max(stored?.at ?? 0, known?.at ?? 0), reached, first: stored === null && known === null };
}

/** The one who saves places for this book; failures are logged and, as a person should know, said once. */
function usePlaceSaver(
  book: number,
  member: number | null,
  setCompletion: (set: (now: Completion | null) => Completion | null) => void,
  hear: (stored: Stored) => void,
) {
  const saver = useRef<PlaceSaver | null>(null);
  useEffect(() => {
    if (member === null) return;
    let told = false;
    let said: number | null = null;
    const made = createPlaceSaver((place: Place) => sendPlace({ member, book, ...place }), {
      worthRetrying,
      saved({ completed }, { progress, place }) {
        told = false;
        if (said !== null) {
          dropToast(said);
          toast('Your place is saved.');
        }
        said = null;
        hear(place);
        if (completed) setCompletion((now) => (now ? { state: 'saved', progress } : null));
      },
      failed({ completed }, error, again) {
        // eslint-disable-next-line no-console -- member.md §8: history failures are logged
        console.warn('The reading position was not saved.', error);
        if (completed && saver.current) setCompletion((now) => (now ? { state: 'failed' } : null));
        else if (!completed && !told) said = toast(again ? 'Your place could not be saved. Pith tries again when you are back online.' : 'Your place could not be saved.');
        told = true;
      },
    });
    saver.current = {
      ...made,
      save(place) {
        // Kept until it is acknowledged: the tab may be closed before.
        keepUnsent({ member, book, ...place });
        made.save(place);
      },
    };
    window.addEventListener('online', made.retry);
    window.addEventListener('pagehide', made.flush);
    return () => {
      window.removeEventListener('online', made.retry);
      window.removeEventListener('pagehide', made.flush);
      made.flush();
      saver.current = null;
    };
  }, [book, member, setCompletion, hear]);
  return saver;
}
