import { useEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { QUIZ_FIELDS, balanceOf, itemOf, loadedQuiz, quizForm, statementOf } from '@/features/admin/site/forms';
import type { Statement } from '@/features/admin/site/forms';
import { quizQuery } from '@/features/admin/site/queries';
import type { QuizKind } from '@/features/admin/site/queries';
import { Button } from '@/ui/Button';
import { SelectField, TextArea } from '@/ui/Field';
import { IconButton } from '@/ui/IconButton';
import { Segmented } from '@/ui/Segmented';
import type { CustomControl } from '@/ui/records/RecordForm';
import { listOf } from '@/ui/records/fields';

const KINDS = [
  { value: 'intelligence', label: 'Intelligence' },
  { value: 'personality', label: 'Personality' },
] as const;
const RULES: Readonly<Record<QuizKind, string>> = {
  intelligence: '18 statements: two for each of the nine types.',
  personality: '15 statements: four for each of three colors, and three for the fourth.',
};
const DIMENSIONS: Readonly<Record<QuizKind, readonly string[]>> = {
  intelligence: [
    'Linguistic',
    'Logical-Mathematical',
    'Spatial',
    'Musical',
    'Bodily-Kinesthetic',
    'Interpersonal',
    'Intrapersonal',
    'Naturalistic',
    'Existential',
  ],
  personality: ['Red', 'Yellow', 'Green', 'Blue'],
};

const kindOf = (search: URLSearchParams): QuizKind => (search.get('kind') === 'personality' ? 'personality' : 'intelligence');

export const loader = ({ request }: LoaderFunctionArgs) => forStaff(() => queryClient.query(quizQuery(kindOf(new URL(request.url).searchParams))));

const controlOf = (kind: QuizKind): CustomControl =>
  function Control({ values, error, onChange }) {
    return <Statements kind={kind} items={listOf(values, 'questions').map(statementOf)} error={error} onChange={(items) => onChange(items.map(itemOf))} />;
  };
const CONTROLS = { intelligence: { questions: controlOf('intelligence') }, personality: { questions: controlOf('personality') } };

/** /admin/quiz-questions: the statements of both quizzes, with types and order, saved together. */
export function Component() {
  const [search, setSearch] = useSearchParams();
  const kind = kindOf(search);
  return (
    <>
      <EditRecord
        title={ROUTES.adminQuiz.title}
        back={{ to: paths.admin, label: 'Back office' }}
        missing="There is no such quiz."
        query={quizQuery(kind)}
        fields={QUIZ_FIELDS}
        controls={CONTROLS[kind]}
        loadedOf={loadedQuiz}
        save={async (values, version) => (await call('PUT /api/admin/quiz/{kind}', { path: { kind }, body: quizForm(values, version) })).quiz}
        success="The quiz was updated."
        submitLabel="Update quiz"
        aside={(quiz) => (
          <>
            <Segmented legend="Quiz" name="kind" options={KINDS} value={kind} onChange={(next) => setSearch(next === 'intelligence' ? {} : { kind: next })} />
            <RowFacts title="This quiz" row={quiz} facts={[['Rule', RULES[kind]]]} site={kind === 'intelligence' ? '/quiz' : '/personality-quiz'} />
          </>
        )}
      />
    </>
  );
}

interface StatementsProps {
  kind: QuizKind;
  items: readonly Statement[];
  error: string | null;
  onChange: (items: readonly Statement[]) => void;
}

/** The ordered statements. Alt and an arrow key move the focused one. */
function Statements({ kind, items, error, onChange }: StatementsProps) {
  const list = useRef<HTMLOListElement>(null);
  /** The index of the statement to focus after the next render. */
  const focus = useRef<number | null>(null);
  useEffect(() => {
    if (focus.current === null) return;
    list.current?.querySelectorAll<HTMLTextAreaElement>('.statements__text textarea')[focus.current]?.focus();
    focus.current = null;
  }, [items]);
  const balance = balanceOf(kind, DIMENSIONS[kind], items);
  const change = (index: number, more: Partial<Statement>) => onChange(items.map((item, n) => (n === index ? { ...item, ...more } : item)));
  const move = (index: number, to: number) => {
    const moved = items[index];
    if (!moved || to < 0 || to >= items.length) return;
    focus.current = to;
    onChange(items.filter((_, n) => n !== index).toSpliced(to, 0, moved));
  };
  const remove = (index: number) => {
    focus.current = Math.min(index, items.length - 2);
    onChange(items.filter((_, n) => n !== index));
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  };
  return (
    <div className="statements">
      <ul className="statements__balance" aria-label="Statements by type">
        {balance.map(({ dimension, count, wrong }) => (
          <li key={dimension} className={wrong ? 'badge statements__count statements__count--wrong' : 'badge statements__count'}>{`${dimension} ${count}`}</li>
        ))}
      </ul>
      {error === null ? null : <p className="field__error">{error}</p>}
      <ol className="statements__list" ref={list}>
        {items.map((item, index) => (
          // Unsaved statements have no id, so the index is the key. All inputs are controlled, so no state depends on the key.
          <li key={index} className="statements__one">
            <span className="statements__text">
              <TextArea
                label={`Statement ${index + 1}`}
                value={item.statement}
                rows={1}
                maxLength={200}
                required
                // A single line of text, even if it wraps.
                onChange={({ target }) => change(index, { statement: target.value.replaceAll('\n', ' ') })}
                onKeyDown={(event) => onKeyDown(event, index)}
              />
            </span>
            <span className="statements__type">
              <SelectField
                label={`Type of statement ${index + 1}`}
                value={item.dimension}
                onChange={({ target }) => change(index, { dimension: target.value })}
              >
                {DIMENSIONS[kind].map((dimension) => (
                  <option key={dimension}>{dimension}</option>
                ))}
              </SelectField>
            </span>
            <span className="statements__tools">
              <IconButton
                icon="chevronUp"
                label={`Move statement ${index + 1} up`}
                aria-disabled={index === 0 || undefined}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                icon="chevronDown"
                label={`Move statement ${index + 1} down`}
                aria-disabled={index === items.length - 1 || undefined}
                onClick={() => move(index, index + 1)}
              />
              <Button kind="quiet" aria-label={`Remove statement ${index + 1}`} onClick={() => remove(index)}>
                Remove
              </Button>
            </span>
          </li>
        ))}
      </ol>
      <Button
        onClick={() => {
          focus.current = items.length;
          onChange([...items, { id: '', dimension: balance.find(({ wrong }) => wrong)?.dimension ?? DIMENSIONS[kind][0] ?? '', statement: '' }]);
        }}
      >
        Add statement
      </Button>
    </div>
  );
}
