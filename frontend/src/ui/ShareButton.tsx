import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

interface Props {
  /** The path of the page to share. */
  path: string;
  title: string;
}

/** Shares a page with the system's share sheet; without one, copies its URL. */
export function ShareButton({ path, title }: Props) {
  const share = async () => {
    const url = new URL(path, window.location.origin).href;
    const system = navigator as { share?: (data: ShareData) => Promise<void>; clipboard?: Clipboard };
    try {
      if (system.share) await system.share({ title, url });
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
