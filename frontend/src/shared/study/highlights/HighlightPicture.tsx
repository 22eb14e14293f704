import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '@/api/errors';
import { viewer } from '@/api/queryClient';
import { saveFile } from '@/lib/saveFile';
import { useDataUrl } from '@/lib/useDataUrl';
import { useOnline } from '@/lib/useOnline';
import { canCopyPicture, canShareFile, loadPicture, pictureText } from '@/shared/study/highlights/pictureFile';
import type { Highlight } from '@/shared/study/records';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import '@/shared/study/highlights/highlights.css';

interface Props {
  highlight: Highlight;
  onClose: () => void;
}

/** A highlight as a picture, with what can be done with it. The server draws it: it needs a connection. */
export function HighlightPicture({ highlight, onClose }: Props) {
  const online = useOnline();
  const {
    data: file = null,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: [viewer(), 'highlight-picture', highlight.id],
    queryFn: ({ signal }) => loadPicture(highlight, signal),
    enabled: online,
    // A picture is large, and is drawn again at the next press.
    gcTime: 0,
    staleTime: Infinity,
  });
  const url = useDataUrl(file);
  return (
    <Dialog open onClose={onClose} title="Share as a picture" className="highlight-picture">
      {file && url !== null ? (
        <>
          <img className="highlight-picture__image" src={url} alt={pictureText(highlight)} width={1080} height={1350} />
          <PictureActions file={file} title={highlight.title} />
        </>
      ) : error && !isFetching && online ? (
        <Alert kind="warning">
          <p>{messageOf(error)}</p>
          <p className="highlight-picture__retry">
            <Button onClick={() => void refetch()}>Try again</Button>
          </p>
        </Alert>
      ) : online ? (
        <PictureSkeleton />
      ) : (
        <Alert>You are offline. A picture needs a connection: it will be here once you are back online.</Alert>
      )}
    </Dialog>
  );
}

/** In the shape of the picture and its buttons. */
const PictureSkeleton = () => (
  <>
    <span className="visually-hidden" role="status">
      The picture is being made
    </span>
    <span className="skeleton highlight-picture__image" aria-hidden="true" />
    <span className="highlight-picture__actions" aria-hidden="true">
      <span className="skeleton highlight-picture__button" />
    </span>
    <span className="highlight-picture__done" aria-hidden="true" />
  </>
);

function PictureActions({ file, title }: { file: File; title: string }) {
  const [done, setDone] = useState('');
  const shares = canShareFile(file);
  const copy = async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({ [file.type]: file })]);
      setDone('Copied.');
    } catch {
      // The browser or its user refused.
      setDone('The picture could not be copied. You can download it instead.');
    }
  };
  const share = async () => {
    try {
      await navigator.share({ files: [file], title });
    } catch (error) {
      // Closing the share sheet is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setDone('The picture could not be shared. You can download it instead.');
    }
  };
  return (
    <>
      <p className="highlight-picture__actions">
        {shares ? (
          <Button kind="primary" onClick={() => void share()}>
            <Icon name="share" />
            Share
          </Button>
        ) : null}
        <Button
          kind={shares ? 'secondary' : 'primary'}
          onClick={() => {
            saveFile(file, file.name);
            setDone('Downloaded.');
          }}
        >
          <Icon name="download" />
          Download
        </Button>
        {canCopyPicture() ? (
          <Button kind={shares ? 'quiet' : 'secondary'} onClick={() => void copy()}>
            <Icon name="copy" />
            Copy picture
          </Button>
        ) : null}
      </p>
      <p className="highlight-picture__done" role="status">
        {done}
      </p>
    </>
  );
}
