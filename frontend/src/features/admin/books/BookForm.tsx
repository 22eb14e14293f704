import { useState } from 'react';
import type { ReactNode } from 'react';
import { BookPreview } from '@/features/admin/books/BookPreview';
import { readBookDraft, storeBookDraft } from '@/features/admin/books/bookDraft';
import { fieldsOf } from '@/features/admin/books/bookFields';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { FieldControl } from '@/ui/records/FieldControl';
import { LazyRichText } from '@/ui/records/LazyRichText';
import { RecordForm } from '@/ui/records/RecordForm';
import type { CustomControl, Loaded } from '@/ui/records/RecordForm';
import { differences, textOf } from '@/ui/records/fields';
import type { Option, Values } from '@/ui/records/fields';

interface Props {
  /** The book's id, or 'new'. */
  book: string;
  choices: { categories: readonly Option[]; goals: readonly Option[] };
  loaded: Loaded;
  submit: (values: Values, version: number | null) => Promise<{ message: ReactNode; loaded?: Loaded }>;
  reload?: () => Promise<Loaded>;
  submitLabel: string;
}

const CONTROLS: Readonly<Record<string, CustomControl>> = {
  body: ({ field, value, error, onChange }) => (
    <LazyRichText
      label={field.label}
      name={field.id}
      value={typeof value === 'string' ? value : ''}
      error={error}
      hint="Each section begins with a Section heading."
      onChange={onChange}
    />
  ),
  // Only when publication at a set time is chosen.
  publishAt: ({ field, values, error, onChange }) =>
    textOf(values, 'state') === 'scheduled' ? <FieldControl field={{ ...field, required: true }} values={values} error={error} onChange={onChange} /> : null,
};

/** A book's form, with rich text, a preview, and a draft of unsaved input. */
export function BookForm({ book, choices, loaded, submit, reload, submitLabel }: Props) {
  const fields = fieldsOf(choices, book !== 'new');
  const [draft, setDraft] = useState(() => {
    const stored = readBookDraft(book);
    return stored && differences(fields, stored.values, loaded.values).length > 0 ? stored : null;
  });
  const [current, setCurrent] = useState<Values>(draft?.values ?? loaded.values);
  const [isPreview, setPreview] = useState(false);
  const [round, setRound] = useState(0);
  return (
    <>
      {draft ? (
        <Alert>
          {draft.version === loaded.version
            ? 'Your unsaved changes are back. '
            : 'Your unsaved changes are back. The book has been saved since then: compare before you save. '}
          <Button
            kind="quiet"
            onClick={() => {
              storeBookDraft(book, null);
              setDraft(null);
              setCurrent(loaded.values);
              setRound(round + 1);
            }}
          >
            Discard it
          </Button>
        </Alert>
      ) : null}
      <RecordForm
        key={round}
        fields={fields}
        controls={CONTROLS}
        // A draft keeps the version it was based on: if another editor has saved since, saving it is a conflict.
        loaded={draft ? { ...loaded, version: draft.version } : loaded}
        draft={draft?.values ?? null}
        onDraft={(values) => {
          storeBookDraft(book, values && { values, version: draft?.version ?? loaded.version });
          if (values) setCurrent(values);
          else setDraft(null);
        }}
        submit={submit}
        {...(reload && { reload })}
        submitLabel={submitLabel}
        actions={<Button onClick={() => setPreview(true)}>Preview</Button>}
      />
      {isPreview ? <BookPreview values={current} onClose={() => setPreview(false)} /> : null}
    </>
  );
}
