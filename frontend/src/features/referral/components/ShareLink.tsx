import { CopyField } from '@/shared/referral/CopyField';
import { copyText } from '@/shared/referral/copyText';
import { site } from '@/lib/site';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

/** The text that is shared with the link. */
const shareText = () => `I read summaries of good books on ${site.name}. Three are free to start with:`;

const withQuery = (address: string, query: Record<string, string>) => `${address}?${new URLSearchParams(query).toString()}`;

/** A `mailto:` URL with spaces as %20, because mail programs don't decode `+`. */
const mailLink = (subject: string, body: string) => `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;

/** The referral link, with buttons to copy and share it (referral.link-sharing). */
export function ShareLink({ link }: { link: string }) {
  const system = navigator as { share?: (data: ShareData) => Promise<void> };
  const share = async () => {
    try {
      await system.share?.({ title: site.name, text: shareText(), url: link });
    } catch (error) {
      // Closing the share sheet is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copyText(link, 'Link copied.');
    }
  };
  const targets = [
    { name: 'Twitter', href: withQuery('https://twitter.com/intent/tweet', { text: shareText(), url: link }) },
    { name: 'Facebook', href: withQuery('https://www.facebook.com/sharer/sharer.php', { u: link }) },
  ];
  return (
    <div className="share-link">
      <CopyField label="Your referral link" text={link} />
      <ul className="share-link__ways" aria-label="Share your link">
        {targets.map(({ name, href }) => (
          <li key={name}>
            <a className="button button--secondary" href={href} target="_blank" rel="noopener noreferrer" aria-label={`Share on ${name}, opens in a new tab`}>
              {name}
            </a>
          </li>
        ))}
        <li>
          <a className="button button--secondary" href={mailLink(`Good books, in fifteen minutes`, `${shareText()} ${link}`)} aria-label="Share by email">
            <Icon name="mail" />
            Email
          </a>
        </li>
        {system.share ? (
          <li>
            <Button onClick={() => void share()}>
              <Icon name="share" />
              More
            </Button>
          </li>
        ) : null}
      </ul>
    </div>
  );
}
