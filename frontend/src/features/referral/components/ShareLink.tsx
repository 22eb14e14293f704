import { CopyLink } from '@/shared/referral/CopyLink';
import { copyText } from '@/shared/referral/copyText';
import { site } from '@/lib/site';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

/** What is said beside the link where it is shared. */
const shareText = () => `I read summaries of good books on ${site.name}. Three are free to start with:`;

const withQuery = (address: string, query: Record<string, string>) => `${address}?${new URLSearchParams(query).toString()}`;

/** The link of a `mailto:` has blanks as %20, which mail programs read. */
const mailLink = (subject: string, body: string) => `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;

/** The referral link: to copy, and to share (referral.link-sharing). */
export function ShareLink({ link }: { link: string }) {
  const system = navigator as { share?: (data: ShareData) => Promise<void> };
  const share = async () => {
    try {
      await system.share?.({ title: site.name, text: shareText(), url: link });
    } catch (error) {
      // Closing the sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copyText(link, 'Link copied.');
    }
  };
  const targets = [
    { name: 'Twitter', href: withQuery('https://twitter.com/intent/tweet', { text: shareText(), url: link }) },
    { name: 'Facebook', href: withQuery('https://www.facebook.com/sharer/sharer.php', { u: link }) },
  ];
  return (
    <div className="share-link">
      <CopyLink label="Your referral link" link={link} />
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
