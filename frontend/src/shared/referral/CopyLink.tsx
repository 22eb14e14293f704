import { copyText } from '@/shared/referral/copyText';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

/** A link to share: shown as text, with a button that copies it. */
export function CopyLink({ label, link, kind = 'secondary' }: { label: string; link: string; kind?: 'primary' | 'secondary' }) {
  return (
    <div className="copy-link">
      <input className="input copy-link__text" aria-label={label} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      <Button kind={kind} onClick={() => void copyText(link, 'Link copied.')}>
        <Icon name="copy" />
        Copy
      </Button>
    </div>
  );
}
