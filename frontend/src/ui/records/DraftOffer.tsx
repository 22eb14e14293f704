import { formatMoment } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';

interface Props {
  /** When the draft was stored, in milliseconds since the epoch. */
  at: number;
  /** Who has saved the record since then; null when nobody has, or when it is not known. */
  by: string | null;
  onRestore: () => void;
  onDiscard: () => void;
}

/** Offers unsaved input that an earlier form has left (admin.draft-offer). */
export function DraftOffer({ at, by, onRestore, onDiscard }: Props) {
  return (
    <Alert>
      <div className="draft-offer">
        <p>{`You have unsaved changes from ${formatMoment(at)}.${by === null ? '' : ` ${by} has saved this since then.`}`}</p>
        <div className="draft-offer__actions">
          <Button onClick={onRestore}>Restore</Button>
          <Button kind="quiet" onClick={onDiscard}>
            Discard
          </Button>
        </div>
      </div>
    </Alert>
  );
}
