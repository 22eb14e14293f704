import { useQuery } from '@tanstack/react-query';
import type { Book } from '@/api/types';
import { useKeptRecording } from '@/shared/offline/useKeptBooks';
import { formatBytes } from '@/lib/format';
import { useOnline } from '@/lib/useOnline';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

const copies = () => import(/* webpackChunkName: "offline-copies" */ '@/shared/offline/offlineCopies');

/** Downloads a book's recording to this device, showing its size, and removes it again. */
export function KeepRecording({ book }: { book: Book }) {
  const { kept, keep, remove } = useKeptRecording(book);
  const online = useOnline();
  const { data: size } = useQuery({
    queryKey: ['member', 'recordingSize', book.subid],
    queryFn: async ({ signal }) => (await copies()).recordingSize(book.subid, signal),
    enabled: online && kept.state === 'absent',
    staleTime: Infinity,
  });
  if (kept.state === 'unknown' || !('serviceWorker' in navigator)) return null;
  return (
    <div className="reader-options__recording">
      {kept.state === 'absent' && kept.failed ? (
        <Alert kind="warning">The recording could not be saved on this device. There may not be enough space, or the connection was lost.</Alert>
      ) : null}
      {kept.state === 'kept' ? (
        <>
          <p className="reader-options__note" role="status">
            {`The recording is on this device (${formatBytes(kept.bytes)}).`}
          </p>
          <Button onClick={() => void remove()}>Remove the recording</Button>
        </>
      ) : (
        <Button
          busy={kept.state === 'coming'}
          busyText={kept.state === 'coming' ? `${formatBytes(kept.progress)}${size ? ` of ${formatBytes(size)}` : ''}` : ''}
          aria-disabled={!online || undefined}
          onClick={() => void keep()}
        >
          <Icon name="headphones" /> {size ? `Keep the recording on this device (${formatBytes(size)})` : 'Keep the recording on this device'}
        </Button>
      )}
    </div>
  );
}
