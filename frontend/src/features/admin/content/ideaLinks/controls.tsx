// The controls of an idea link's form.
import { useQuery } from '@tanstack/react-query';
import { isRetryable, messageOf } from '@/api/errors';
import { bookControl } from '@/features/admin/content/controls';
import { noteRoom } from '@/features/admin/content/ideaLinks/forms';
import { ideasQuery } from '@/features/admin/content/ideaLinks/queries';
import { FieldControl } from '@/ui/records/FieldControl';
import type { CustomControl } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, FieldValue, Values } from '@/ui/records/fields';

/** A key idea of the book in the field `book`. */
const ideaControl =
  (book: 'fromBookId' | 'toBookId'): CustomControl =>
  ({ field, values, error, onChange }) => <IdeaSelect field={field} book={textOf(values, book).trim()} values={values} error={error} onChange={onChange} />;

interface Props {
  field: FieldDef;
  /** The book's id or slug; '' while none is chosen. */
  book: string;
  values: Values;
  error: string | null;
  onChange: (value: FieldValue) => void;
}

function IdeaSelect({ field, book, values, error, onChange }: Props) {
  const { data: ideas, error: failure, refetch } = useQuery({ ...ideasQuery(book), enabled: book !== '' });
  const chosen = textOf(values, field.id);
  const isOther = chosen !== '' && !ideas?.includes(chosen);
  // What was chosen stays: a heading that is gone may be what the editor looks for in the edited book.
  const options = [
    ...(isOther ? [{ value: chosen, label: ideas ? `Not in the book: ${chosen}` : chosen }] : []),
    // Two sections may have the same heading.
    ...Array.from(new Set(ideas), (idea) => ({ value: idea, label: idea })),
  ];
  const hint = () => {
    if (book === '') return 'Choose the book first.';
    if (!ideas && failure)
      return (
        <>
          {messageOf(failure)}{' '}
          {isRetryable(failure) ? (
            <button type="button" className="link" onClick={() => void refetch()}>
              Try again
            </button>
          ) : null}
        </>
      );
    if (!ideas) return 'Loading the book’s ideas…';
    if (isOther) return 'The book has no key idea with this heading, so readers do not see the link. Choose one that it has.';
    return ideas.length === 0 ? 'The book has no key ideas yet.' : undefined;
  };
  return <FieldControl field={{ ...field, options, helpText: hint() }} values={values} error={error} onChange={onChange} />;
}

/** The note, with what is left of its length. Only a dismissed pair needs none. */
const noteControl: CustomControl = ({ field, values, error, onChange }) => (
  <FieldControl
    field={{
      ...field,
      required: textOf(values, 'state') !== 'dismissed',
      helpText: `How the two ideas relate, for readers. ${noteRoom(textOf(values, 'note'))}.`,
    }}
    values={values}
    error={error}
    onChange={onChange}
  />
);

export const LINK_CONTROLS: Readonly<Record<string, CustomControl>> = {
  fromBookId: bookControl,
  fromIdea: ideaControl('fromBookId'),
  toBookId: bookControl,
  toIdea: ideaControl('toBookId'),
  note: noteControl,
};
