import type { Book } from '@/api/types';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

/** Shares the book's page with the system's share sheet; without one, copies its URL. */
export function ShareButton({ book }: { book: Pick<Book, 'subid' | 'title' | 'author'> }) {
  const share = async () => {
    const url = new URL(paths.book(book.subid), window.location.origin).href;
    const system = navigator as { share?: (data: ShareData) => Promise<void>; clipboard?: Clipboard };
    try {
      if (system.share) await system.share({ title: `${book.title} by ${book.author}`, url });
      else {
        await system.clipboard?.writeText(url);
        toast('Link copied.');
      }
    } catch (error) {
      // Closing the share sheet is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) toast(`The link could not be copied: ${url}`);
    }
  };
  return (
    <Button onClick={() => void share()}>
      <Icon name="share" /> Share
    </Button>
  );
}
