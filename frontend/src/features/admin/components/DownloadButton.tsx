import { Icon } from '@/ui/Icon';

interface Props {
  /** What is downloaded, for screen readers. */
  about: string;
  /** The file is being made. */
  busy?: boolean;
  onPress: () => void;
}

/** The button that downloads a CSV file. */
export function DownloadButton({ about, busy = false, onPress }: Props) {
  return (
    <button type="button" className="csv-button" aria-label={`CSV: ${about}`} aria-busy={busy} disabled={busy} onClick={onPress}>
      <Icon name="download" />
      CSV
    </button>
  );
}
