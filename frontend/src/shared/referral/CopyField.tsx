import { copyText } from '@/shared/referral/copyText';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

interface Props {
  label: string;
  text: string;
  /** The toast once it is copied. */
  copied?: string;
  kind?: 'primary' | 'secondary';
}

/** A text to take along, such as a link to share: with a button that copies it. */
export function CopyField({ label, text, copied = 'Link copied.', kind = 'secondary' }: Props) {
  return (
    <div className="copy-field">
      <input className="input copy-field__text" aria-label={label} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      <Button kind={kind} onClick={() => void copyText(text, copied)}>
        <Icon name="copy" />
        Copy
      </Button>
    </div>
  );
}
