import { useEffect } from 'react';
import type { Book } from '@/api/types';
import { currentPlayer, listen, listening, setReadingPlace, useListening } from '@/shared/listening/listening';
import { OfferButton } from '@/shared/payment/OfferButton';
import { PodcastButton } from '@/features/reading-progress/reading/components/PodcastButton';
import { paths } from '@/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { toast } from '@/ui/toast';

/** Audio requires the full text (catalogue.audio-rights). */
export const mayListen = (book: Book): boolean => book.hasMedia && book.showPremiumContent;

/** Plays the book from the section that is shown, or from the saved position in it; pauses it when it is playing. */
function useListen(book: Book, member: number | null, section: number, opened: number) {
  const plays = useListening((now) => now !== null && now.track.bookId === book.id && now.wanted);
  const press = () => {
    if (plays) {
      currentPlayer()?.pause();
      return;
    }
    const audio = book.place?.audio;
    // A recording that has ended restarts from the beginning, not from the last section, which the reader shows.
    const now = listening.now();
    const heardOut = now?.track.bookId === book.id ? now.ended : book.completed && audio === 0 && section === opened;
    // If the reader shows another section than at the opening, the member chose it. The server's unit is milliseconds.
    const start =
      heardOut && section === book.sections.length - 1 ? { at: 0 } : { section, chosen: section !== opened, saved: audio == null ? null : audio / 1000 };
    const { id: bookId, subid, title, author, image, categories } = book;
    listen({ member, bookId, subid, file: null, title, author, image, hue: categories[0]?.hue ?? 60, sections: book.sections.length }, start).catch(() =>
      toast('The player could not be loaded. Check your connection and try again.'),
    );
  };
  return { plays, press };
}

/** On the book's title page: the listen button, the podcast and the link to the video. The server renders the same markup. */
export function ListenActions({ book, member }: { book: Book; member: number | null }) {
  const { plays, press } = useListen(book, member, 0, book.position);
  return (
    <>
      {mayListen(book) ? (
        <Button data-listen="" onClick={press}>
          <Icon name={plays ? 'pause' : 'headphones'} />
          {plays ? 'Pause' : 'Listen'}
        </Button>
      ) : null}
      <PodcastButton book={book} />
      <WatchActions book={book} />
    </>
  );
}

/** Links to the book's video and illustrated key ideas, if any; with a lock if they need a plan (catalogue.visual-rights). */
export function WatchActions({ book }: { book: Book }) {
  const needsPlan = !book.free && !book.isPaidUser && !book.comingSoon;
  return (
    <>
      {book.hasVideo && needsPlan ? <OfferButton label="Watch" text="With a plan, you can watch the video of every summary that has one." /> : null}
      {book.hasVideo && !needsPlan ? (
        <LinkButton to={paths.video(book.subid)}>
          <Icon name="video" />
          Watch
        </LinkButton>
      ) : null}
      {book.hasVisuals && needsPlan ? (
        <OfferButton label="See the key ideas" text="With a plan, you can see the key ideas of every book, one picture each." />
      ) : null}
      {book.hasVisuals && !needsPlan ? (
        <LinkButton to={paths.visualsOf(book.subid)}>
          <Icon name="pictures" />
          See the key ideas
        </LinkButton>
      ) : null}
    </>
  );
}

/** The toolbar's listen button: plays from the section that is shown (`opened`: the one shown at first). Reports the reader's section to the player. */
export function ListenIcon({ book, member, section, opened }: { book: Book; member: number | null; section: number; opened: number }) {
  const { plays, press } = useListen(book, member, section, opened);
  const bookId = book.id;
  useEffect(() => {
    setReadingPlace({ bookId, position: section });
    return () => setReadingPlace(null);
  }, [bookId, section]);
  if (!mayListen(book)) return null;
  return <IconButton icon={plays ? 'pause' : 'headphones'} label={plays ? 'Pause' : 'Listen'} data-listen="" onClick={press} />;
}
