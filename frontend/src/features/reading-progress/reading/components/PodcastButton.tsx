import type { Book } from '@/api/types';
import { currentPlayer, isSameTrack, listen, useListening } from '@/shared/listening/listening';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

/** Plays the podcast about a book in the site-wide player, resuming at this browser's position; pauses it when it is playing. */
export function PodcastButton({ book }: { book: Book }) {
  const { subid, title, author, image, categories } = book;
  const track = { bookId: null, subid, isAboutBook: true };
  const plays = useListening((now) => now !== null && now.wanted && isSameTrack(now.track, track));
  // Audio requires the full text (catalogue.audio-rights).
  if (!book.hasPodcast || !book.showPremiumContent) return null;
  const press = () => {
    if (plays) {
      currentPlayer()?.pause();
      return;
    }
    listen({ ...track, member: null, file: null, title: `Podcast: ${title}`, author, image, hue: categories[0]?.hue ?? 60, sections: 0 }, {}).catch(() =>
      toast('The player could not be loaded. Check your connection and try again.'),
    );
  };
  return (
    <Button data-listen="" onClick={press}>
      <Icon name={plays ? 'pause' : 'microphone'} />
      {plays ? 'Pause the podcast' : 'Play the podcast'}
    </Button>
  );
}
