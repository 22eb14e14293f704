import { useState } from 'react';
import { addHighlightCard } from '@/shared/study/addCards';
import { removeCard, restoreCard } from '@/shared/study/cardChanges';
import { canHide } from '@/shared/study/cloze';
import { HideWords } from '@/shared/study/HideWords';
import { idOfHighlight } from '@/shared/study/ids';
import { isCardShown } from '@/shared/study/records';
import type { Highlight } from '@/shared/study/records';
import { useStudy } from '@/shared/study/studyStore';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

/** The review card of a highlight: adds it by the words to hide, changes them, and takes it out of the review (study.review-cards). */
export default function ReviewOfHighlight({ highlight }: { highlight: Highlight }) {
  const [isOpen, setOpen] = useState(false);
  const known = useStudy((now) => now.cards.get(idOfHighlight(highlight.id)))?.state;
  const words = highlight.anchor?.exact ?? '';
  if (!canHide(words)) return null;
  const card = known && isCardShown(known) ? known : null;
  const remove = () => {
    if (!card) return;
    setOpen(false);
    void removeCard(card);
    toast('It is not in your review now.', { label: 'Undo', run: () => void restoreCard(card) });
  };
  return (
    <div className="highlight-sheet__review">
      <p className="actions">
        <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {card ? 'In review: change the hidden words' : 'Add to review'}
        </Button>
        {card ? (
          <Button kind="quiet" onClick={remove}>
            Take out of review
          </Button>
        ) : null}
      </p>
      {isOpen ? (
        <HideWords
          words={words}
          {...(card && { blanks: card.content.value.blanks, label: 'Save' })}
          onSave={(blanks) => {
            setOpen(false);
            void addHighlightCard(highlight, blanks);
            toast(card ? 'Saved.' : 'Added to your review.');
          }}
        />
      ) : null}
    </div>
  );
}
