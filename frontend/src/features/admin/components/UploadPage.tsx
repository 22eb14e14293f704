import { useQuery } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { upload } from '@/api/upload';
import { ActionDialog } from '@/features/admin/components/ActionDialog';
import { CleanedDrawing } from '@/features/admin/components/CleanedDrawing';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { useTitle } from '@/lib/useTitle';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { UploadForm } from '@/ui/records/UploadForm';
import { toast } from '@/ui/toast';

const TIMED_OUT = 'Upload failed. The upload timed out. Please try again with a smaller file or better internet connection.';
const UNREACHED = 'No response from server. Please check your internet connection.';

/** The message for a failed upload (admin.upload-progress); null when it was cancelled. `infographic` has its own texts. */
export function uploadFailure(error: unknown, kind: 'infographic' | 'other' = 'other'): string | null {
  if (!(error instanceof ApiError)) return kind === 'infographic' ? 'An error occurred.' : 'Upload failed. Please try again.';
  if (error.code === 'cancelled') return null;
  if (error.code === 'timeout') return TIMED_OUT;
  if (error.code === 'network') return kind === 'infographic' ? 'An error occurred.' : UNREACHED;
  if (error.code === 'unreadable' && kind === 'infographic') return 'Upload failed.';
  return error.message;
}

export interface UploadKind {
  /** 'Photo'. */
  label: string;
  limits: string;
  accept: string;
  success: string;
  kind?: 'infographic';
  /** Shows what would be stored of a chosen file (catalogue.svg-cleaning). */
  preview?: (file: File) => ReactNode;
}

const PICTURE = { limits: 'JPEG, PNG or WebP, up to 20 MB', accept: 'image/jpeg,image/png,image/webp' };
const AUDIO = { limits: 'MP3, M4A, OGG or WAV, up to 1 GB', accept: 'audio/mpeg,audio/mp4,audio/ogg,audio/wav,.mp3,.m4a,.ogg,.wav' };

export const PHOTO: UploadKind = { label: 'Photo', ...PICTURE, success: 'The photo was uploaded.' };
export const FEATURED_PHOTO: UploadKind = { ...PHOTO, label: 'Featured photo' };
export const VECTOR: UploadKind = {
  label: 'Vector',
  limits: 'SVG up to 2 MB, or a picture',
  accept: 'image/svg+xml,image/jpeg,image/png,image/webp',
  success: 'The vector was uploaded.',
  preview: (file) => (file.type === 'image/svg+xml' ? <CleanedDrawing file={file} /> : null),
};
export const INFOGRAPHIC: UploadKind = { label: 'Infographic', ...PICTURE, success: 'The infographic was uploaded.', kind: 'infographic' };
export const MEDIA: UploadKind = { label: 'Media', ...AUDIO, success: 'The media was uploaded.' };
export const PODCAST: UploadKind = { label: 'Podcast', ...AUDIO, success: 'The podcast was uploaded.' };
export const VIDEO: UploadKind = {
  label: 'Video',
  limits: 'MP4 or WebM, maximum size about 5GB',
  accept: 'video/mp4,video/webm',
  success: 'The video was uploaded successfully!',
};

interface Props<T> {
  kind: UploadKind;
  back: { to: string; label: string };
  missing: string;
  query: UseQueryOptions<T, Error, T>;
  titleOf: (record: T) => string;
  /** The URL of the stored file; null when there is none. */
  fileOf: (record: T) => string | null;
  /** The API path. */
  path: string;
  /** Called after an upload, to refetch other queries that show the file. */
  onUploaded?: () => void;
  /** For files that can be removed again: the consequence in words, and the call. */
  removal?: { text: string; remove: () => Promise<unknown> };
}

/** The page that uploads one of a record's files. */
export function UploadPage<T>({ kind, back, missing, query, titleOf, fileOf, path, onUploaded, removal }: Props<T>) {
  const { data, error, refetch } = useQuery(query);
  useTitle(data === undefined ? kind.label : `${kind.label}: ${titleOf(data)}`);
  return (
    <>
      <BackLink to={back.to}>{back.label}</BackLink>
      <h1 className="page__title">{data === undefined ? kind.label : `${kind.label}: ${titleOf(data)}`}</h1>
      {data !== undefined ? (
        <UploadForm
          label={kind.label}
          limits={kind.limits}
          accept={kind.accept}
          success={kind.success}
          failureText={(failed) => uploadFailure(failed, kind.kind)}
          upload={async (file, onProgress, signal) => {
            await upload(path, { file, onProgress, signal });
            await queryClient.invalidateQueries({ queryKey: query.queryKey });
            onUploaded?.();
          }}
          current={<Current kind={kind} url={fileOf(data)} />}
          {...(kind.preview && { preview: kind.preview })}
        />
      ) : error ? (
        <PageError error={error} back={{ ...back, what: missing }} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading" />
      )}
      {data !== undefined && removal && fileOf(data) !== null ? (
        <Removal
          label={kind.label}
          text={removal.text}
          remove={() => removal.remove().then(() => queryClient.invalidateQueries({ queryKey: query.queryKey }))}
        />
      ) : null}
    </>
  );
}

function Removal({ label, text, remove }: { label: string; text: string; remove: () => Promise<unknown> }) {
  const [asked, setAsked] = useState(false);
  const what = label.toLowerCase();
  return (
    <div className="upload__removal">
      <Button kind="harm" onClick={() => setAsked(true)}>{`Remove the ${what}`}</Button>
      {asked ? (
        <ActionDialog
          title={`Remove the ${what}?`}
          button="Remove"
          busyText="Removing"
          kind="harm"
          onClose={() => setAsked(false)}
          submit={async () => {
            await remove();
            setAsked(false);
            toast(`The ${what} was removed.`);
          }}
        >
          <p>{text}</p>
        </ActionDialog>
      ) : null}
    </div>
  );
}

function Current({ kind, url }: { kind: UploadKind; url: string | null }): ReactNode {
  if (url === null) return <p className="admin__note">There is no file yet.</p>;
  if (kind.accept.startsWith('audio')) {
    // The recording's text is in the product; here it is only checked by ear.
    // eslint-disable-next-line jsx-a11y/media-has-caption
    return <audio controls preload="none" src={url} aria-label={`${kind.label} now`} />;
  }
  if (kind.accept.startsWith('video')) {
    // eslint-disable-next-line jsx-a11y/media-has-caption -- as above
    return <video className="upload__now" controls preload="metadata" src={url} aria-label={`${kind.label} now`} />;
  }
  return <img className="upload__now" src={url} alt={`${kind.label} now`} />;
}
