import { useQuery } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { DeleteButton } from '@/features/admin/components/DeleteButton';
import type { Deletable } from '@/features/admin/components/deletions';
import { controlsOfPictures, fieldsOfPictures, usePictureUploads } from '@/features/admin/components/pictures';
import type { Picture } from '@/features/admin/components/pictures';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { recordDrafts } from '@/shared/offline/recordDrafts';
import { useTitle } from '@/lib/useTitle';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { RecordForm } from '@/ui/records/RecordForm';
import type { CustomControl, Loaded } from '@/ui/records/RecordForm';
import type { FieldDef, Values } from '@/ui/records/fields';

interface Back {
  to: string;
  label: string;
}

/** A record's pictures in its form. */
interface Pictures<T> {
  /** The fields, in order. */
  pictures?: readonly Picture<T>[];
  /** Called after an upload, to refetch other queries that show the picture. */
  onUploaded?: () => unknown;
}

/** A preview of a record's form. */
interface Previewed {
  /** The open preview of what is typed. */
  preview?: (values: Values, onClose: () => void) => ReactNode;
}

interface EditProps<T> extends Pictures<T>, Previewed {
  /** The heading. A function gets the record, which is undefined while it loads. */
  title: string | ((record: T | undefined) => string);
  back: Back;
  /** The message for an unknown id: 'There is no goal with this id.' */
  missing: string;
  query: UseQueryOptions<T, Error, T>;
  fields: readonly FieldDef[];
  controls?: Readonly<Record<string, CustomControl>>;
  loadedOf: (record: T) => Loaded;
  save: (values: Values, version: number | null) => Promise<T>;
  /** 'Goal was edited.' */
  success: string;
  submitLabel?: string;
  /** The kind and id for the deletion; null when this record can't be deleted. */
  deletes?: (record: T) => { kind: Deletable; id: number; name?: string } | null;
  /** Content beside the form: links to its files. */
  aside?: (record: T) => ReactNode;
}

/** The button that opens the preview, the open preview, and what the form tells of its values. Without a preview there is none. */
function usePreview(preview: Previewed['preview']) {
  const [typed, onValues] = useState<Values | null>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    onValues,
    button: preview ? <Button onClick={() => setOpen(true)}>Preview</Button> : null,
    dialogOf: (loaded: Values) => (preview && isOpen ? preview(typed ?? loaded, () => setOpen(false)) : null),
  };
}

/** The page that edits one record. */
export function EditRecord<T>({
  title: named,
  back,
  missing,
  query,
  fields,
  controls,
  loadedOf,
  save,
  success,
  submitLabel = 'Save',
  deletes,
  aside,
  pictures = [],
  onUploaded,
  preview,
}: EditProps<T>) {
  const { data, error, refetch } = useQuery(query);
  const previewed = usePreview(preview);
  const uploads = usePictureUploads(pictures, async () => {
    onUploaded?.();
    await queryClient.invalidateQueries({ queryKey: query.queryKey });
  });
  const title = typeof named === 'string' ? named : named(data);
  useTitle(title);
  const side = data === undefined ? null : aside?.(data);
  const deletable = data === undefined ? null : (deletes?.(data) ?? null);
  return (
    <>
      <BackLink to={back.to}>{back.label}</BackLink>
      <h1 className="page__title">{title}</h1>
      {data !== undefined ? (
        <div className={side ? 'admin__split' : 'admin__single'}>
          <div>
            {uploads.notice}
            <RecordForm
              key={JSON.stringify(query.queryKey)}
              fields={[...fields, ...fieldsOfPictures(pictures)]}
              controls={{ ...controls, ...controlsOfPictures(pictures, data) }}
              loaded={loadedOf(data)}
              // Without the kind of viewer, which is 'visitor' once the session has ended.
              openDrafts={() => recordDrafts(query.queryKey.slice(1).join('/'))}
              submitLabel={submitLabel}
              submit={async (values, version) => {
                const record = await save(values, version);
                queryClient.setQueryData(query.queryKey, record);
                return { message: [success, ...(await uploads.send(record, values))].join(' '), loaded: loadedOf(record) };
              }}
              reload={async () => loadedOf(await queryClient.query({ ...query, staleTime: 0 }))}
              onValues={previewed.onValues}
              actions={
                <>
                  {previewed.button}
                  {uploads.progress}
                </>
              }
            />
            {previewed.dialogOf(loadedOf(data).values)}
          </div>
          {side ? (
            <aside className="admin__aside">
              {side}
              {deletable ? <DeleteButton name={title} {...deletable} back={back.to} /> : null}
            </aside>
          ) : null}
        </div>
      ) : error ? (
        <PageError error={error} back={{ ...back, what: missing }} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading" />
      )}
    </>
  );
}

interface AddProps<T> extends Pictures<T>, Previewed {
  title: string;
  back: Back;
  fields: readonly FieldDef[];
  controls?: Readonly<Record<string, CustomControl>>;
  values: Values;
  /** Saves the new record. Without `record` no picture is uploaded. */
  add: (values: Values) => Promise<{ message: ReactNode; record?: T }>;
  submitLabel: string;
}

/** The page that adds a record; after saving, only the success message is shown. */
export function AddRecord<T>({ title, back, fields, controls, values, add, submitLabel, pictures = [], onUploaded, preview }: AddProps<T>) {
  useTitle(title);
  const previewed = usePreview(preview);
  const { pathname } = useLocation();
  const uploads = usePictureUploads(pictures, () => onUploaded?.());
  return (
    <>
      <BackLink to={back.to}>{back.label}</BackLink>
      <h1 className="page__title">{title}</h1>
      <div className="admin__single">
        {uploads.notice}
        <RecordForm
          fields={[...fields, ...fieldsOfPictures(pictures)]}
          controls={{ ...controls, ...controlsOfPictures(pictures) }}
          loaded={{ values, version: null, by: null }}
          openDrafts={() => recordDrafts(pathname)}
          submitLabel={submitLabel}
          submit={async (sent) => {
            const { message, record } = await add(sent);
            if (record === undefined) return { message };
            const uploaded = await uploads.send(record, sent);
            return {
              message: (
                <>
                  {message}
                  {uploaded.length > 0 ? <p>{uploaded.join(' ')}</p> : null}
                </>
              ),
            };
          }}
          onValues={previewed.onValues}
          actions={
            <>
              {previewed.button}
              {uploads.progress}
            </>
          }
        />
        {previewed.dialogOf(values)}
      </div>
    </>
  );
}
