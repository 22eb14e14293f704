import { DownloadButton } from '@/features/admin/components/DownloadButton';
import { toCsv } from '@/features/admin/csv';
import { saveFile } from '@/lib/saveFile';

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
  return <DownloadButton about={about} onPress={() => saveFile(new Blob([toCsv(rows())], { type: 'text/csv;charset=utf-8' }), `${file}.csv`)} />;
}
