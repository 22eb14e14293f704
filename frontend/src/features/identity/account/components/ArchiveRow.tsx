import { useMutation } from '@tanstack/react-query';
import { call, callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { useFreshProof } from '@/shared/session/FreshProof';
import { Row } from '@/shared/account/Setting';
import { saveFile } from '@/lib/saveFile';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

/** The data archive: downloaded at once, or through a link sent by mail. */
export function ArchiveRow() {
  const { withProof, dialog } = useFreshProof();
  const download = useMutation({
    mutationFn: () => withProof(() => callFile('GET /api/user/archive')),
    onSuccess: ({ blob, name }) => {
      saveFile(blob, name);
      toast('Your archive is in your downloads.');
    },
  });
  const send = useMutation({
    mutationFn: () => withProof(() => call('POST /api/user/archive')),
    onSuccess: () => toast('We sent you a link to your archive. It works once, within 24 hours.'),
  });
  const failed = download.isError ? download : send.isError ? send : null;
  return (
    <Row
      label="Your archive"
      actions={
        <>
          <Button
            kind="quiet"
            aria-label={download.isPending ? undefined : 'Download your archive'}
            busy={download.isPending}
            busyText="Preparing"
            onClick={() => {
              send.reset();
              download.mutate();
            }}
          >
            Download
          </Button>
          <Button
            kind="quiet"
            busy={send.isPending}
            busyText="Sending"
            onClick={() => {
              download.reset();
              send.mutate();
            }}
          >
            Send me a link
          </Button>
        </>
      }
    >
      <p className="setting__note">Your profile, history, library and ratings in one file that you can read yourself or open in other programs.</p>
      {failed ? (
        <div className="setting__alert">
          <Alert kind="warning">{messageOf(failed.error)}</Alert>
        </div>
      ) : null}
      {dialog}
    </Row>
  );
}
