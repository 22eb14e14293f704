// Pictures that are chosen in a record's form: the record is saved first, then they are uploaded (admin.form-pictures).
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { upload } from '@/api/upload';
import type { Progress } from '@/api/upload';
import { uploadFailure } from '@/features/admin/components/UploadPage';
import type { UploadKind } from '@/features/admin/components/UploadPage';
import { formatBytes } from '@/lib/format';
import { useDataUrl } from '@/lib/useDataUrl';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { ProgressBar } from '@/ui/ProgressBar';
import type { CustomControl } from '@/ui/records/RecordForm';
import type { FieldDef, Values } from '@/ui/records/fields';

/** A picture of a record. */
export interface Picture<T> {
  /** The id of its field in the form. */
  id: string;
  kind: UploadKind;
  /** The URL of the stored picture; null when there is none. */
  urlOf: (record: T) => string | null;
  /** The API path of its upload. */
  path: (record: T) => string;
}

interface Failure<T> {
  picture: Picture<T>;
  record: T;
  file: File;
  text: string;
}

export const fieldsOfPictures = <T,>(pictures: readonly Picture<T>[]): readonly FieldDef[] =>
  pictures.map(({ id, kind }) => ({ id, label: kind.label, type: 'file', accept: kind.accept, helpText: kind.limits, half: pictures.length > 1 }));

/** The controls of the pictures' fields; `record` is undefined while it is new. */
export const controlsOfPictures = <T,>(pictures: readonly Picture<T>[], record?: T): Readonly<Record<string, CustomControl>> =>
  Object.fromEntries(
    pictures.map(({ id, urlOf }): [string, CustomControl] => [
      id,
      ({ field, value, onChange }) => (
        <PictureControl field={field} file={value instanceof File ? value : null} url={record === undefined ? null : urlOf(record)} onChange={onChange} />
      ),
    ]),
  );

/** The texts of pictures that were uploaded; the failed ones are in the `notice`. */
type Uploaded = readonly string[];

interface PictureUploads<T> {
  /** Uploads the pictures that were chosen in the form of a record that is saved. */
  send: (record: T, values: Values) => Promise<Uploaded>;
  /** The progress of the current upload. */
  progress: ReactNode;
  /** The pictures that were not uploaded, each with a button that tries again. */
  notice: ReactNode;
}

/** Uploads the pictures of a record. `onUploaded` is called after each, to refetch what shows it. */
export function usePictureUploads<T>(pictures: readonly Picture<T>[], onUploaded: () => unknown): PictureUploads<T> {
  const [current, setCurrent] = useState<(Progress & { label: string }) | null>(null);
  const [failures, setFailures] = useState<readonly Failure<T>[]>([]);
  const [retried, setRetried] = useState<string | null>(null);
  const left = useRef(new AbortController());
  useEffect(() => {
    // In development React mounts each component twice.
    const controller = new AbortController();
    left.current = controller;
    return () => controller.abort();
  }, []);

  /** Uploads one picture; returns whether that succeeded. */
  const sendOne = async (picture: Picture<T>, record: T, file: File): Promise<boolean> => {
    const { kind } = picture;
    setCurrent({ label: kind.label, sent: 0, total: file.size });
    try {
      await upload(picture.path(record), { file, onProgress: (progress) => setCurrent({ label: kind.label, ...progress }), signal: left.current.signal });
      await onUploaded();
      return true;
    } catch (error) {
      const text = uploadFailure(error) ?? '';
      setFailures((before) => [...before, { picture, record, file, text }]);
      return false;
    } finally {
      setCurrent(null);
    }
  };

  const send = async (record: T, values: Values) => {
    setFailures([]);
    setRetried(null);
    const uploaded: string[] = [];
    for (const picture of pictures) {
      const file = values[picture.id];
      if (file instanceof File && (await sendOne(picture, record, file))) uploaded.push(picture.kind.success);
    }
    return uploaded;
  };

  const retry = async (failure: Failure<T>) => {
    if (current) return;
    setRetried(null);
    setFailures((before) => before.filter((one) => one !== failure));
    if (await sendOne(failure.picture, failure.record, failure.file)) setRetried(failure.picture.kind.success);
  };

  const percent = current && current.total > 0 ? Math.floor((current.sent / current.total) * 100) : 0;
  const progress = current ? (
    <div className="picture-progress">
      <ProgressBar label={`Upload of the ${current.label.toLowerCase()}`} value={percent} max={100} tone="info" text={`${percent}%`} />
    </div>
  ) : null;
  const isSilent = failures.length === 0 && retried === null;
  const notice = isSilent ? null : (
    <div className="admin__failure">
      {failures.map((failure) => (
        <Alert key={failure.picture.id} kind="warning">
          <p>{`Everything except the ${failure.picture.kind.label.toLowerCase()} is saved. ${failure.text}`}</p>
          <Button onClick={() => void retry(failure)}>{`Upload the ${failure.picture.kind.label.toLowerCase()} again`}</Button>
        </Alert>
      ))}
      {retried === null ? null : <Alert kind="success">{retried}</Alert>}
    </div>
  );
  return { send, progress, notice };
}

interface ControlProps {
  field: FieldDef;
  file: File | null;
  /** The stored picture. */
  url: string | null;
  onChange: (file: File | null) => void;
}

/** The stored or the chosen picture, and a button that chooses another one. */
function PictureControl({ field: { id: name, label, accept, helpText }, file, url, onChange }: ControlProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const chosen = useDataUrl(file);
  const shown = file ? chosen : url;
  const what = label.toLowerCase();
  return (
    <div className="field">
      <span className="field__label" id={`${id}-label`}>
        {label}
      </span>
      <div className="picture-field">
        {shown === null ? (
          <span className="picture-field__none" />
        ) : (
          <img className="picture-field__image" src={shown} alt={`${label} ${file ? 'chosen' : 'now'}`} />
        )}
        <div className="picture-field__side">
          <div className="admin__buttons">
            <label className="button button--secondary" htmlFor={id}>
              {shown === null ? 'Choose a picture' : 'Choose another picture'}
            </label>
            <input
              ref={input}
              id={id}
              name={name}
              className="visually-hidden"
              type="file"
              accept={accept}
              aria-labelledby={`${id}-label`}
              aria-describedby={`${id}-hint`}
              onChange={({ target }) => onChange(target.files?.[0] ?? null)}
            />
            {file ? (
              <Button
                kind="quiet"
                aria-label={`Don’t upload this ${what}`}
                onClick={() => {
                  if (input.current) input.current.value = '';
                  onChange(null);
                  input.current?.focus();
                }}
              >
                Undo
              </Button>
            ) : null}
          </div>
          <p className="field__hint" id={`${id}-hint`}>
            {file ? `${file.name} · ${formatBytes(file.size)}. It is uploaded when you save.` : helpText}
          </p>
        </div>
      </div>
    </div>
  );
}
