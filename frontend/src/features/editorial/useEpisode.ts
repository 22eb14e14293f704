import { currentPlayer, isSameTrack, listen, useListening } from '@/shared/listening/listening';
import type { Podcast } from '@/features/editorial/queries';
import { toast } from '@/ui/toast';

/** The player's hue for recordings without a category, in degrees. */
const HUE = 60;

/** Plays an episode in the site-wide player, resuming where it was left in this browser; pauses it when it is playing. */
export function useEpisode({ slug, title, author, image, mediaUrl, seconds }: Pick<Podcast, 'slug' | 'title' | 'author' | 'image' | 'mediaUrl' | 'seconds'>) {
  const track = { bookId: null, subid: slug };
  const isOpen = useListening((now) => now !== null && isSameTrack(now.track, track));
  const plays = useListening((now) => now !== null && now.wanted && isSameTrack(now.track, track));
  const press = () => {
    if (plays) {
      currentPlayer()?.pause();
      return;
    }
    if (mediaUrl === null) return;
    listen({ ...track, member: null, file: { url: mediaUrl, seconds }, title, author, image, hue: HUE, sections: 0 }, {}).catch(() =>
      toast('The player could not be loaded. Check your connection and try again.'),
    );
  };
  return { plays, isOpen, press };
}
