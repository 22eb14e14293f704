import { useId } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

interface Props {
  index: number;
  total: number;
  titleOf: (index: number) => string;
  onTurn: (index: number) => void;
  /** Finishes the summary; null when there is nothing to finish. */
  onFinish: (() => void) | null;
  /** The link shown after the last section. */
  end: ReactNode;
}

/** Below a section: links to the previous and the next one; after the last idea, Finish, and then `end`. */
export function SectionLinks({ index, total, titleOf, onTurn, onFinish, end }: Props) {
  return (
    <nav className="reader__turn" aria-label="Sections">
      {index > 0 ? <TurnButton direction="Previous" title={titleOf(index - 1)} onClick={() => onTurn(index - 1)} /> : <span />}
      {onFinish ? (
        <div className="reader__turn-next">
          <Button kind="primary" large onClick={onFinish}>
            Finish
            <Icon name="check" />
          </Button>
        </div>
      ) : index < total - 1 ? (
        <TurnButton direction="Next" title={titleOf(index + 1)} onClick={() => onTurn(index + 1)} />
      ) : (
        end
      )}
    </nav>
  );
}

function TurnButton({ direction, title, onClick }: { direction: 'Previous' | 'Next'; title: string; onClick: () => void }) {
  const id = useId();
  return (
    <div className={`reader__turn-${direction.toLowerCase()}`}>
      <Button kind={direction === 'Next' ? 'primary' : 'secondary'} large onClick={onClick} aria-describedby={id}>
        {direction === 'Previous' ? <Icon name="arrowLeft" /> : null}
        {direction}
        {direction === 'Next' ? <Icon name="arrowRight" /> : null}
      </Button>
      <p className="reader__turn-title" id={id}>
        {title}
      </p>
    </div>
  );
}
