import { useMutation } from '@tanstack/react-query';
import { callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { saveFile } from '@/lib/saveFile';
import { Row } from '@/shared/account/Setting';
import { hasUnsent } from '@/shared/study/studyFlags';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';

const FORMATS = [
  { format: 'markdown', label: 'Markdown', note: 'One file for each summary, such as for Obsidian.' },
  { format: 'csv', label: 'CSV', note: 'One table, in the columns that Readwise imports.' },
  { format: 'json', label: 'JSON', note: 'Web annotations, for other programs.' },
  { format: 'anki', label: 'Anki', note: 'Your review cards for Anki. To keep their schedule, choose “Import any learning progress” there.' },
] as const;
type Format = (typeof FORMATS)[number];

/** The name of a row's button: the file for Anki has review cards, the others highlights. */
const nameOf = ({ format, label }: Format): string => (format === 'anki' ? `Download your review cards for ${label}` : `Download your highlights as ${label}`);

/** All highlights as one file, in three formats, and the review cards as a package for Anki (study.free-exports). */
export function Exports() {
  return (
    <>
      {FORMATS.map((one) => (
        <Export key={one.format} one={one} />
      ))}
    </>
  );
}

function Export({ one }: { one: Format }) {
  const { format, label, note } = one;
  const asked = useMutation({
    mutationFn: async () => {
      // What was highlighted or reviewed offline is in it.
      if (hasUnsent()) await (await import(/* webpackChunkName: "study-sync" */ '@/shared/study/studySync')).syncStudy();
      return callFile('GET /api/study/export', { query: { format } });
    },
    onSuccess: ({ blob, name }) => saveFile(blob, name),
  });
  return (
    <Row
      label={label}
      actions={
        <Button kind="quiet" aria-label={asked.isPending ? undefined : nameOf(one)} busy={asked.isPending} busyText="Preparing" onClick={() => asked.mutate()}>
          Download
        </Button>
      }
    >
      <p className="setting__note">{note}</p>
      {asked.isError ? (
        <div className="setting__alert">
          <Alert kind="warning">{messageOf(asked.error)}</Alert>
        </div>
      ) : null}
    </Row>
  );
}
