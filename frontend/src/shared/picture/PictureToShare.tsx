import { useQuery } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '@/api/errors';
import { saveFile } from '@/lib/saveFile';
import { useDataUrl } from '@/lib/useDataUrl';
import { useOnline } from '@/lib/useOnline';
import { canCopyPicture, canShareFile } from '@/shared/picture/pictureSupport';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import '@/shared/picture/picture.css';

interface Props {
  queryKey: QueryKey;
  load: (signal: AbortSignal) => Promise<File>;
  /** False: it is not loaded yet. */
  wanted?: boolean;
  /** The picture in words. */
  alt: string;
  /** The title in the system's share sheet. */
  title: string;
}

/** A picture of 4 by 5 with what can be done with it. The server draws it: it needs a connection. The parent lays out the parts. */
export function PictureToShare({ queryKey, load, wanted = true, alt, title }: Props) {
  const online = useOnline();
  const {
    data: file = null,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    enabled: online && wanted,
    // A picture is large, and is drawn again the next time.
    gcTime: 0,
    staleTime: Infinity,
  });
  const url = useDataUrl(file);
  if (file && url !== null) {
    return (
      <>
        <img className="picture-to-share__image" src={url} alt={alt} width={1080} height={1350} />
        <PictureActions file={file} title={title} />
      </>
    );
  }
  if (error && !isFetching && online) {
    return (
      <Alert kind="warning">
        <p>{messageOf(error)}</p>
        <p className="picture-to-share__retry">
          <Button onClick={() => void refetch()}>Try again</Button>
        </p>
      </Alert>
    );
  }
  return online ? <PictureSkeleton busy={wanted} /> : <Alert>You are offline. A picture needs a connection: it will be here once you are back online.</Alert>;
}

/** In the shape of the picture and its buttons. */
const PictureSkeleton = ({ busy }: { busy: boolean }) => (
  <>
    <span className="visually-hidden" role="status">
      {busy ? 'The picture is being made' : ''}
    </span>
    <span className="skeleton picture-to-share__image" aria-hidden="true" />
    <span className="picture-to-share__actions" aria-hidden="true">
      <span className="skeleton picture-to-share__button" />
    </span>
    <span className="picture-to-share__done" aria-hidden="true" />
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
      <p className="picture-to-share__actions">
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
      <p className="picture-to-share__done" role="status">
        {done}
      </p>
    </>
  );
}
