import { useState } from 'react';
import type { ReactNode } from 'react';
import { BookPreview } from '@/features/admin/books/BookPreview';
import { fieldsOf } from '@/features/admin/books/bookFields';
import { PUBLICATION_CONTROLS } from '@/features/admin/components/publication';
import { TEXT_PICTURES } from '@/features/admin/components/textPictures';
import { recordDrafts } from '@/shared/offline/recordDrafts';
import { Button } from '@/ui/Button';
import { LazyRichText } from '@/ui/records/LazyRichText';
import { RecordForm } from '@/ui/records/RecordForm';
import type { CustomControl, Loaded } from '@/ui/records/RecordForm';
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
      pictures={TEXT_PICTURES}
      onChange={onChange}
    />
  ),
  ...PUBLICATION_CONTROLS,
};

/** A book's form, with rich text and a preview. */
export function BookForm({ book, choices, loaded, submit, reload, submitLabel }: Props) {
  const [current, setCurrent] = useState<Values>(loaded.values);
  const [isPreview, setPreview] = useState(false);
  return (
    <>
      <RecordForm
        fields={fieldsOf(choices, book !== 'new')}
        controls={CONTROLS}
        loaded={loaded}
        openDrafts={() => recordDrafts(`books/${book}`)}
        onValues={setCurrent}
        submit={submit}
        {...(reload && { reload })}
        submitLabel={submitLabel}
        actions={<Button onClick={() => setPreview(true)}>Preview</Button>}
      />
      {isPreview ? <BookPreview values={current} onClose={() => setPreview(false)} /> : null}
    </>
  );
}
