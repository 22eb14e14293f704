import { useRef, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { formatBytes } from '@/lib/format';
import { scrollToTop } from '@/lib/scrollToTop';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { ProgressBar } from '@/ui/ProgressBar';
import { useUploadGuard } from '@/ui/useUploadGuard';

export interface UploadProgress {
  sent: number;
  total: number;
}

interface Props {
  /** 'Video'. */
  label: string;
  /** What is accepted, in words: 'MP4 or WebM, up to about 5GB'. */
  limits: string;
  /** The file input's `accept`. */
  accept: string;
  /** Uploads the file; resolves when it is stored. */
  upload: (file: File, onProgress: (progress: UploadProgress) => void, signal: AbortSignal) => Promise<void>;
  /** 'The photo was uploaded.' */
  success: string;
  /** The message for a failure; null when the upload was cancelled. */
  failureText: (error: unknown) => string | null;
  /** Shows the file that is stored now. */
  current: ReactNode;
  /** Shows what would be stored of a chosen file, where that is not the file as it is. */
  preview?: (file: File) => ReactNode;
}

/** Uploads one file, with a progress bar and a cancel button. The form is disabled meanwhile; a failure resets the progress to 0. */
export function UploadForm({ label, limits, accept, upload, success, failureText, current, preview }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const [said, setSaid] = useState<{ kind: 'warning' | 'success' | 'info'; text: string } | null>(null);
  const [over, setOver] = useState(false);
  const running = useRef<AbortController | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const busy = progress !== null;
  useUploadGuard(running);

  const choose = (chosen: File | undefined) => {
    if (busy || !chosen) return;
    setFile(chosen);
    setSaid(null);
  };
  const send = async () => {
    if (running.current) return;
    if (!file) {
      setSaid({ kind: 'warning', text: `Please specify ${label}.` });
      input.current?.focus();
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setSaid(null);
    setProgress({ sent: 0, total: file.size });
    try {
      await upload(file, setProgress, controller.signal);
      setSaid({ kind: 'success', text: success });
      setFile(null);
      if (input.current) input.current.value = '';
    } catch (error) {
      const text = failureText(error);
      setSaid(text === null ? { kind: 'info', text: 'The upload was cancelled. Nothing was changed.' } : { kind: 'warning', text });
    } finally {
      running.current = null;
      setProgress(null);
      scrollToTop();
    }
  };

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer.files[0]);
  };
  const percent = progress && progress.total > 0 ? Math.floor((progress.sent / progress.total) * 100) : 0;
  return (
    <form
      className="upload"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {said ? <Alert kind={said.kind}>{said.text}</Alert> : null}
      {current}
      <fieldset disabled={busy}>
        <legend className="visually-hidden">{label}</legend>
        <div
          className={over ? 'upload__drop upload__drop--over' : 'upload__drop'}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={onDrop}
          role="presentation"
        >
          <label className="button button--secondary" htmlFor="upload-file">
            Choose a file
          </label>
          <input
            ref={input}
            id="upload-file"
            className="visually-hidden"
            type="file"
            accept={accept}
            aria-label={label}
            aria-describedby="upload-limits"
            onChange={({ target }) => choose(target.files?.[0])}
          />
          <p>{file ? `${file.name} · ${formatBytes(file.size)}` : 'or drop it here'}</p>
          <p className="upload__note" id="upload-limits">
            {limits}
          </p>
        </div>
      </fieldset>
      {file && !busy ? preview?.(file) : null}
      {busy ? (
        <>
          <ProgressBar label={`Upload of ${file?.name ?? label}`} value={percent} max={100} tone="info" text={`${percent}%`} />
          <p className="upload__note tabular" aria-hidden="true">
            {percent < 100 ? `${percent}% · ${formatBytes(progress.sent)} of ${formatBytes(progress.total)}` : 'Saving the file on the server.'}
          </p>
        </>
      ) : null}
      <div className="admin__buttons">
        <Button type="submit" kind="primary" busy={busy} busyText="Uploading">
          Upload
        </Button>
        {busy ? <Button onClick={() => running.current?.abort()}>Cancel</Button> : null}
      </div>
    </form>
  );
}
