import { toCsv } from '@/features/admin/csv';
import { saveFile } from '@/lib/saveFile';
import { Icon } from '@/ui/Icon';

interface Props {
  /** The file's name, without the extension. */
  file: string;
  /** What is downloaded, for screen readers. */
  about: string;
  /** The rows, starting with the header; computed when the button is pressed. */
  rows: () => readonly (readonly string[])[];
}

/** Downloads the data on the page as a CSV file. */
export function CsvButton({ file, about, rows }: Props) {
  return (
    <button
      type="button"
      className="csv-button"
      aria-label={`CSV: ${about}`}
      onClick={() => saveFile(new Blob([toCsv(rows())], { type: 'text/csv;charset=utf-8' }), `${file}.csv`)}
    >
      <Icon name="download" />
      CSV
    </button>
  );
}
