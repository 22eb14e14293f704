import { useEffect, useId, useRef, useState } from 'react';
import { formatBytes } from '@/lib/format';
import { useDataUrl } from '@/lib/useDataUrl';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Check';
import { Dialog } from '@/ui/Dialog';
import { TextArea } from '@/ui/Field';

/** A picture within a text. */
export interface TextPicture {
  src: string;
  /** What it shows; empty when it is only decoration. */
  alt: string;
  /** In pixels; null when unknown. */
  width: number | null;
  height: number | null;
}

/** Stores the pictures of texts. */
export interface PictureUpload {
  /** The file input's `accept`. */
  accept: string;
  /** What is accepted, in words. */
  limits: string;
  upload: (file: File, signal: AbortSignal) => Promise<{ url: string; width: number; height: number }>;
  /** The message for a failed upload; null when it was cancelled. */
  failureText: (error: unknown) => string | null;
}

interface Props {
  /** The picture that is changed; null for a new one. */
  picture: TextPicture | null;
  /** The file that was pasted or dropped. */
  dropped: File | null;
  pictures: PictureUpload;
  onClose: () => void;
  onDone: (picture: TextPicture) => void;
}

/** Uploads a picture for a text, and asks what it shows (catalogue.text-pictures). */
export function PictureDialog({ picture, dropped, pictures, onClose, onDone }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController | null>(null);
  const [file, setFile] = useState(dropped);
  const [alt, setAlt] = useState(picture?.alt ?? '');
  const [isDecoration, setDecoration] = useState(picture !== null && picture.alt === '');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ field: 'file' | 'alt'; text: string } | null>(null);
  const chosen = useDataUrl(file);
  const shown = file ? chosen : (picture?.src ?? null);
  useEffect(() => () => running.current?.abort(), []);

  const finish = async () => {
    const description = isDecoration ? '' : alt.trim();
    if (!file && !picture) {
      setFailure({ field: 'file', text: 'Please specify Picture.' });
      input.current?.focus();
      return;
    }
    if (!isDecoration && description === '') {
      setFailure({ field: 'alt', text: 'Please describe the picture, or say that it is only decoration.' });
      document.getElementsByName(`${id}-alt`)[0]?.focus();
      return;
    }
    setFailure(null);
    if (!file) return onDone({ ...(picture as TextPicture), alt: description });
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    try {
      const { url, width, height } = await pictures.upload(file, controller.signal);
      onDone({ src: url, alt: description, width, height });
    } catch (error) {
      const text = pictures.failureText(error);
      if (text !== null) setFailure({ field: 'file', text });
      setBusy(false);
    }
  };

  return (
    <Dialog open title={picture ? 'Change the picture' : 'Add a picture'} onClose={onClose}>
      <form
        className="picture-dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // Not the form that the text belongs to.
          event.stopPropagation();
          if (!busy) void finish();
        }}
      >
        {failure?.field === 'file' ? <Alert kind="warning">{failure.text}</Alert> : null}
        {shown === null ? null : <img className="picture-dialog__image" src={shown} alt="Preview" />}
        <div>
          <label className="button button--secondary" htmlFor={id}>
            {shown === null ? 'Choose a picture' : 'Choose another picture'}
          </label>
          <input
            ref={input}
            id={id}
            className="picture-dialog__file"
            type="file"
            accept={pictures.accept}
            aria-label="Picture"
            aria-describedby={`${id}-limits`}
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
          <p className="field__hint" id={`${id}-limits`}>
            {file ? `${file.name} · ${formatBytes(file.size)}` : pictures.limits}
          </p>
        </div>
        <TextArea
          label="Description"
          name={`${id}-alt`}
          rows={2}
          maxLength={500}
          hint="What the picture shows, for people who can’t see it."
          error={failure?.field === 'alt' ? failure.text : null}
          disabled={isDecoration}
          value={isDecoration ? '' : alt}
          onChange={({ target }) => setAlt(target.value)}
        />
        <Checkbox label="It is only decoration" checked={isDecoration} onChange={({ target }) => setDecoration(target.checked)} />
        <div className="dialog__actions">
          <Button type="submit" kind="primary" busy={busy} busyText="Uploading">
            {picture ? 'Change the picture' : 'Add the picture'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
