import { useRef, useState } from 'react';
import type { SyntheticEvent } from 'react';
import { ApiError } from '@/api/errors';
import type { Progress } from '@/api/upload';
import { importArchive, isUnderWay } from '@/features/identity/account/accountImport';
import type { AccountImport } from '@/features/identity/account/accountImport';
import { formatBytes } from '@/lib/format';
import { SettingError } from '@/shared/account/Setting';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { ProgressBar } from '@/ui/ProgressBar';
import { useForm } from '@/ui/useForm';
import type { Form } from '@/ui/useForm';
import { useUploadGuard } from '@/ui/useUploadGuard';

/** Uploads an archive, unless an import is under way. */
export function ImportForm({ last }: { last: AccountImport | null }) {
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  useUploadGuard(running);
  const form = useForm({
    scroll: false,
    submit: async () => {
      const controller = new AbortController();
      running.current = controller;
      if (file) setProgress({ sent: 0, total: file.size });
      try {
        await importArchive(file, { onProgress: setProgress, signal: controller.signal });
        if (input.current) input.current.value = '';
        setFile(null);
      } catch (error) {
        // It was cancelled.
        if (controller.signal.aborted) return;
        // A file that is too large for the server: the message belongs to the field.
        if (error instanceof ApiError && error.status === 413) {
          throw new ApiError({ status: error.status, code: error.code, message: error.message, field: 'file' });
        }
        throw error;
      } finally {
        running.current = null;
        setProgress(null);
      }
    },
  });
  const isBusy = isUnderWay(last);
  useCleared(form, last);
  const hold = (event: SyntheticEvent) => {
    if (form.busy) event.preventDefault();
  };
  return (
    <form className="form account-import__form" {...form.props}>
      <SettingError form={form} />
      <TextField
        ref={input}
        label="Archive"
        name="file"
        type="file"
        accept=".zip,application/zip"
        required
        disabled={isBusy}
        hint={file ? `${file.name} · ${formatBytes(file.size)}` : 'A ZIP file of at most 50 MB.'}
        error={form.wrong('file')}
        onClick={hold}
        onDrop={hold}
        onChange={({ target }) => {
          // What was said of the file before is not true of this one.
          if (form.wait === 0) form.clear();
          setFile(target.files?.[0] ?? null);
        }}
      />
      {progress ? <Upload progress={progress} /> : null}
      <div className="setting__buttons">
        <Button
          type="submit"
          kind="primary"
          busy={form.busy || (isBusy && !last?.isRetry)}
          busyText={form.busy ? 'Uploading' : 'Importing'}
          aria-disabled={isBusy || form.wait > 0}
        >
          Import
        </Button>
        {form.busy ? (
          <Button
            kind="quiet"
            onClick={() => {
              running.current?.abort();
              // The button goes.
              input.current?.focus();
            }}
          >
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/**
 * Clears the form's message when an import begins, which it may have done although the answer was lost, and when one ends. That
 * another one is under way is shown until that one ends; that there were too many attempts, until the wait is over.
 */
function useCleared(form: Form, last: AccountImport | null): void {
  const isBusy = isUnderWay(last);
  const now = `${last?.requestedAt ?? ''} ${isBusy}`;
  const [seen, setSeen] = useState(now);
  if (seen === now) return;
  setSeen(now);
  if (form.wait === 0 && (!isBusy || form.error?.code !== 'already_there')) form.clear();
}

function Upload({ progress: { sent, total } }: { progress: Progress }) {
  const percent = total > 0 ? Math.floor((sent / total) * 100) : 0;
  return (
    <div className="account-import__upload">
      <ProgressBar label="Upload" value={percent} max={100} tone="info" text={`${percent}%`} />
      <p className="setting__note tabular" aria-hidden="true">
        {percent < 100 ? `${formatBytes(sent)} of ${formatBytes(total)}` : 'The archive has been uploaded.'}
      </p>
      {percent < 100 ? <p className="setting__note">Please stay on this page until the archive is uploaded.</p> : null}
    </div>
  );
}
