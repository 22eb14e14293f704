import { citedText, quotationsOf } from '@/features/summaries/passages';
import type { Idea, Paragraph } from '@/features/summaries/queries';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

interface Props {
  idea: Idea;
  paragraphs: readonly Paragraph[];
  lang: string | undefined;
  /** The index of the passage highlighted in the source; null: none yet. */
  shown: number | null;
  /** Whether the source opens in a dialog, over the text. */
  opensDialog: boolean;
  onShow: (passage: number) => void;
}

/** A key idea's text with a mark after each passage from the source; pressing a mark shows the passage there. */
export function IdeaText({ idea, paragraphs, lang, shown, opensDialog, onShow }: Props) {
  const { pieces, rest } = citedText(idea, paragraphs);
  const quotations = quotationsOf(idea, paragraphs);
  const cite = (passage: number) => (
    <button
      type="button"
      className="cite"
      aria-label={`Passage ${passage + 1} in the source`}
      aria-pressed={passage === shown}
      aria-haspopup={opensDialog ? 'dialog' : undefined}
      onClick={() => onShow(passage)}
    >
      <span className="cite__number tabular">{passage + 1}</span>
    </button>
  );
  return (
    <>
      <div className="prose reader__text idea" lang={lang} dir="auto">
        <p className="idea__text">
          {pieces.map((piece, i) =>
            piece.passage === null ? (
              piece.text
            ) : (
              <span key={i} className={piece.passage === shown ? 'idea__cited idea__cited--shown' : 'idea__cited'}>
                {piece.text}
                {cite(piece.passage)}
              </span>
            ),
          )}
        </p>
        {quotations.map((words) => (
          <blockquote key={words}>{words}</blockquote>
        ))}
      </div>
      {rest.length > 0 ? (
        <p className="idea__rest">
          From the source:{' '}
          {rest.map((passage) => (
            <span key={passage}>{cite(passage)}</span>
          ))}
        </p>
      ) : null}
      {!idea.supported || idea.passages.length === 0 ? (
        <div className="idea__unsupported">
          <Alert>No passage in the source supports this idea. Read it with care.</Alert>
        </div>
      ) : opensDialog ? (
        <div className="idea__open">
          <Button aria-haspopup="dialog" onClick={() => onShow(shown ?? 0)}>
            <Icon name="lines" />
            See it in the source
          </Button>
        </div>
      ) : null}
    </>
  );
}
