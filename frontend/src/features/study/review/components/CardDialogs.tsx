import { ApiError } from '@/api/errors';
import { addHighlightCard, addOwnCard, changeOwnCard, ownCardError } from '@/shared/study/addCards';
import { HideWords } from '@/shared/study/HideWords';
import type { ReviewCard } from '@/shared/study/records';
import type { StudySnapshot } from '@/shared/study/studyStore';
import { editableHighlight } from '@/features/study/review/cards';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea } from '@/ui/Field';
import { SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

interface OwnCardProps {
  /** Null: a new one. */
  card: ReviewCard | null;
  onClose: () => void;
}

/** A question and an answer of the member's own. */
export function OwnCardDialog({ card, onClose }: OwnCardProps) {
  const form = useForm({
    required: { question: 'Please write a question.', answer: 'Please write an answer.' },
    scroll: false,
    submit: async (typed) => {
      const [question, answer] = [text(typed, 'question').trim(), text(typed, 'answer').trim()];
      const error = ownCardError(question, answer);
      if (error) throw new ApiError({ status: 0, code: 'validation', ...error });
      // It is stored on this device at once; sending it does not keep the dialog open.
      void (card ? changeOwnCard(card, question, answer) : addOwnCard(question, answer));
      onClose();
      await Promise.resolve();
    },
  });
  const content = card?.content.value;
  return (
    <Dialog open onClose={onClose} title={card ? 'Edit your question' : 'New question'} className="card-dialog">
      <form className="form" {...form.props}>
        <TextArea label="Question" name="question" rows={3} defaultValue={content?.question} error={form.wrong('question')} />
        <TextArea label="Answer" name="answer" rows={5} defaultValue={content?.answer} error={form.wrong('answer')} />
        <p className="card-dialog__actions">
          <SubmitButton form={form} busyText="Saving…">
            {card ? 'Save' : 'Add to review'}
          </SubmitButton>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </p>
      </form>
    </Dialog>
  );
}

interface CardDialogProps {
  card: ReviewCard;
  highlights: StudySnapshot['highlights'];
  onClose: () => void;
}

/** Edits a card: an own question, or the hidden words of a highlight. */
export function CardDialog({ card, highlights, onClose }: CardDialogProps) {
  if (card.kind === 'own') return <OwnCardDialog card={card} onClose={onClose} />;
  const highlight = editableHighlight(card, highlights);
  if (!highlight) return null;
  return (
    <Dialog open onClose={onClose} title="Hidden words" className="card-dialog">
      <HideWords
        words={highlight.anchor?.exact ?? ''}
        blanks={card.content.value.blanks}
        label="Save"
        onSave={(blanks) => {
          void addHighlightCard(highlight, blanks);
          onClose();
        }}
      />
    </Dialog>
  );
}
