import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

interface Props {
  /** The path of the page to share. */
  path: string;
  /** The text of the post or mail. */
  text: string;
}

/** Links that share a page: on social networks, by e-mail, and by copying the URL. */
export function ShareLinks({ path, text }: Props) {
  const url = new URL(path, window.location.origin).href;
  const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
  const links = [
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?${query({ u: url })}` },
    { name: 'X', href: `https://x.com/intent/post?${query({ text, url })}` },
    { name: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?${query({ url })}` },
  ];
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast('Link copied.');
    } catch {
      toast(`The link could not be copied: ${url}`);
    }
  };
  return (
    <div className="share-links" role="group" aria-label="Share">
      <span className="share-links__label" aria-hidden="true">
        Share
      </span>
      {links.map(({ name, href }) => (
        <a key={name} className="share-links__link" href={href} target="_blank" rel="noopener noreferrer" aria-label={`Share on ${name}, opens a new tab`}>
          {name}
        </a>
      ))}
      <a
        className="share-links__link"
        href={`mailto:?subject=${encodeURIComponent(text)}&body=${encodeURIComponent(`${text}\n\n${url}`)}`}
        aria-label="Share by email"
      >
        <Icon name="mail" />
        E-mail
      </a>
      <Button kind="quiet" className="share-links__link" onClick={() => void copy()}>
        <Icon name="copy" />
        Copy link
      </Button>
    </div>
  );
}
