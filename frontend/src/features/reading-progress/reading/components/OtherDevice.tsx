import type { Question } from '@/features/reading-progress/reading/devices';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

interface Props {
  question: Question | null;
  titleOf: (index: number) => string;
  onGo: (to: number) => void;
  onStay: () => void;
}

const SAYS: Record<Question['kind'], string> = {
  further: 'You are further along on another device',
  elsewhere: 'You are at a different place on another device',
  moved: 'Continued from your other device',
};

/** Asks whether to go to another device's position, at the bottom of the screen: a polite live region that takes no focus. */
export function OtherDevice({ question, titleOf, onGo, onStay }: Props) {
  return (
    <div className="other-device" role="status">
      {question ? (
        <div className="other-device__card">
          <Icon name="phone" />
          <div className="other-device__text">
            <p className="other-device__title">{SAYS[question.kind]}</p>
            <p className="other-device__place">
              {question.kind === 'moved'
                ? `Here, you were at key idea ${question.to + 1}: ${titleOf(question.to)}`
                : `Key idea ${question.to + 1}: ${titleOf(question.to)}`}
            </p>
          </div>
          <div className="other-device__answers">
            <Button kind={question.kind === 'moved' ? 'secondary' : 'primary'} onClick={() => onGo(question.to)}>
              {question.kind === 'moved' ? 'Go back' : 'Go there'}
            </Button>
            <Button kind="quiet" onClick={onStay}>
              Stay here
            </Button>
          </div>
        </div>
      ) : null}
    </div>
  );
}
