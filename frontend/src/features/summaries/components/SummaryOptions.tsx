import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call, callFile } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { DisplayOptions } from '@/shared/reader/DisplayOptions';
import type { Summary } from '@/features/summaries/queries';
import { saveFile } from '@/lib/saveFile';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

interface Props {
  open: boolean;
  onClose: () => void;
  summary: Summary;
  onRename: () => void;
  onDelete: () => void;
}

/** Display options, download, rename and delete: a panel on the right. */
export function SummaryOptions({ open, onClose, summary, onRename, onDelete }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Options" side="right">
      <div className="reader-options">
        <DisplayOptions />
        <Downloads id={String(summary.id)} />
        <div>
          <h3 className="reader-options__title">This summary</h3>
          <div className="reader-options__files">
            <Button aria-haspopup="dialog" onClick={onRename}>
              Rename
            </Button>
            <Button kind="harm" onClick={onDelete}>
              Delete
            </Button>
          </div>
        </div>
        <p className="reader-options__note reader-options__keys">
          The arrow keys <kbd>←</kbd> and <kbd>→</kbd> turn to the previous and the next key idea.
        </p>
      </div>
    </Dialog>
  );
}

/** Links that download the summary. */
function Downloads({ id }: { id: string }) {
  const pdf = useMutation({
    mutationFn: () => callFile('GET /api/ai/summaries/{id}/pdf', { path: { id } }),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
  });
  const epub = useMutation({
    mutationFn: () => callFile('GET /api/ai/summaries/{id}/epub', { path: { id } }),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
  });
  const send = useMutation({
    mutationFn: () => call('POST /api/ai/summaries/{id}/send', { path: { id } }),
    onSuccess: () => toast('It is on its way. It should be on your Kindle in a few minutes.'),
  });
  const error = pdf.error ?? epub.error ?? send.error;
  const needsAddress = error instanceof ApiError && error.field === 'kindle_email';
  return (
    <div>
      <h3 className="reader-options__title">Take it with you</h3>
      {error ? (
        <Alert kind="warning">
          {messageOf(error)}
          {needsAddress ? (
            <>
              {' '}
              <Link className="link" to={paths.setKindle}>
                Set your Kindle’s address
              </Link>
            </>
          ) : null}
        </Alert>
      ) : null}
      <div className="reader-options__files">
        <Button busy={pdf.isPending} busyText="PDF" onClick={() => pdf.mutate()}>
          <Icon name="download" /> PDF
        </Button>
        <Button busy={epub.isPending} busyText="EPUB" onClick={() => epub.mutate()}>
          <Icon name="download" /> EPUB
        </Button>
        <Button busy={send.isPending} busyText="Sending" onClick={() => send.mutate()}>
          Send to Kindle
        </Button>
      </div>
    </div>
  );
}
