import '@/shared/study/commitments/commitments.css';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { ApiError } from '@/api/errors';
import { plural } from '@/lib/format';
import { commitmentError } from '@/shared/study/commitments/commitmentChanges';
import { textOfIdea } from '@/shared/study/commitments/commitment';
import { Button } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import { SubmitButton } from '@/ui/Form';
import { text as textOf, useForm } from '@/ui/useForm';

/** How many key ideas are shown until the member asks for all. */
const FEW_IDEAS = 4;

interface Props {
  label: string;
  /** The text at first. */
  initial: string;
  /** The titles of key ideas that can be chosen. */
  ideas?: readonly string[];
  /** The button's text. */
  save: string;
  takesFocus?: boolean;
  /** Called with each text that is typed or chosen. */
  onDraft?: (text: string) => void;
  onSave: (text: string) => void;
  /** Null: there is nothing to go back to. */
  onCancel: (() => void) | null;
}

/** The field of a commitment: one paragraph, in the member's own words or with the title of a key idea. */
export function CommitmentForm({ label, initial, ideas = [], save, takesFocus = false, onDraft, onSave, onCancel }: Props) {
  const [text, setText] = useState(initial);
  /** What the member wrote before a key idea took its place. */
  const own = useRef(ideas.some((title) => textOfIdea(title) === initial) ? '' : initial);
  const change = (now: string) => {
    setText(now);
    onDraft?.(now);
  };
  const form = useForm({
    required: { text: 'Please write what you will do.' },
    scroll: false,
    submit: async (typed) => {
      const message = commitmentError(textOf(typed, 'text'));
      if (message !== null) throw new ApiError({ status: 0, code: 'validation', field: 'text', message });
      onSave(textOf(typed, 'text'));
      await Promise.resolve();
    },
  });
  const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // It is one paragraph. While an input method composes a word, Enter ends the word.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <form className="commitment-form" {...form.props}>
      <TextArea
        label={label}
        name="text"
        rows={2}
        value={text}
        // The member has asked for the field.
        // eslint-disable-next-line jsx-a11y/no-autofocus -- see above
        autoFocus={takesFocus}
        enterKeyHint="done"
        error={form.wrong('text')}
        onChange={({ target }) => {
          own.current = target.value;
          change(target.value);
        }}
        onKeyDown={submitOnEnter}
      />
      {ideas.length > 0 ? (
        <Ideas
          ideas={ideas}
          chosen={text}
          onChoose={(idea) => {
            form.clear();
            change(idea ?? own.current);
          }}
        />
      ) : null}
      <p className="commitment-form__actions">
        <SubmitButton form={form} kind="secondary" busyText={save}>
          {save}
        </SubmitButton>
        {onCancel ? (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
      </p>
    </form>
  );
}

interface IdeasProps {
  ideas: readonly string[];
  /** The text of the field. */
  chosen: string;
  /** `idea`: the text of a key idea; null: the chosen one was pressed again. */
  onChoose: (idea: string | null) => void;
}

function Ideas({ ideas, chosen, onChoose }: IdeasProps) {
  const id = useId();
  const [isExpanded, setExpanded] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // The pressed button is gone: the first of those that appeared has the focus.
    if (isExpanded) list.current?.querySelectorAll('button').item(FEW_IDEAS).focus();
  }, [isExpanded]);
  const areAll = isExpanded || ideas.length <= FEW_IDEAS + 1;
  const shown = areAll ? ideas : ideas.slice(0, FEW_IDEAS);
  return (
    <div className="commitment-form__ideas">
      <p className="commitment-form__hint" id={id}>
        Or use a key idea:
      </p>
      <ul className="chips" aria-labelledby={id} ref={list}>
        {shown.map((title) => {
          const isChosen = chosen === textOfIdea(title);
          return (
            <li key={title}>
              <button type="button" className="chip chip--plain" aria-pressed={isChosen} onClick={() => onChoose(isChosen ? null : textOfIdea(title))}>
                {title}
              </button>
            </li>
          );
        })}
        {areAll ? null : (
          <li>
            <button type="button" className="chip chip--plain commitment-form__more" onClick={() => setExpanded(true)}>
              {plural(ideas.length - FEW_IDEAS, 'more idea', 'more ideas')}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}
