// Home's questions about commitments (study.commitment-askings). Home loads it on a device that has some.
import '@/shared/study/commitments/commitments.css';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { CommitmentForm } from '@/shared/study/commitments/CommitmentForm';
import { agoOf, askedToday } from '@/shared/study/commitments/askings';
import type { AskedCommitment } from '@/shared/study/commitments/askings';
import { answerNotYet, changeText, setOutcome } from '@/shared/study/commitments/commitmentChanges';
import { useAsksCommitments, useCommitments } from '@/shared/study/commitments/useCommitments';
import { addDays, dayOf, deviceZone, formatDayName } from '@/shared/study/days';
import { useToday } from '@/shared/study/review/useReviewRules';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

interface Props {
  member: number;
  /** The member's time zone; undefined: it is not known. */
  zone: string | undefined;
}

export function AskedCommitments({ member, zone = deviceZone() }: Props) {
  const isAsked = useAsksCommitments();
  const commitments = useCommitments(member);
  const today = useToday(zone);
  /** Something was answered on this visit. */
  const [hasAnswered, setAnswered] = useState(false);
  const list = useRef<HTMLElement>(null);
  const isAnswered = useRef(false);
  const asked = askedToday(commitments?.map(({ state }) => state) ?? [], zone, today);
  useEffect(() => {
    if (!isAnswered.current || document.activeElement !== document.body) return;
    // The pressed button is gone with its question.
    isAnswered.current = false;
    list.current?.querySelector<HTMLElement>('[data-next]')?.focus();
  });
  if (!isAsked || (asked.length === 0 && !hasAnswered)) return null;
  const answer = (save: Promise<void>) => {
    isAnswered.current = true;
    setAnswered(true);
    void save;
  };
  return (
    <section className="asked" ref={list} aria-labelledby="asked">
      <h2 className="visually-hidden" id="asked">
        What became of it?
      </h2>
      {asked.length > 0 ? (
        <ul className="asked__list">
          {asked.map((one) => (
            <Question key={one.commitment.id} asked={one} zone={zone} onAnswer={answer} />
          ))}
        </ul>
      ) : (
        <p className="asked__thanks" tabIndex={-1} data-next>
          Thank you. What you keep is listed in{' '}
          <Link className="link" to={`${paths.myProgress}#commitments`}>
            My Progress
          </Link>
          .
        </p>
      )}
    </section>
  );
}

interface QuestionProps {
  asked: AskedCommitment;
  zone: string;
  /** `save`: the answer that is being stored. */
  onAnswer: (save: Promise<void>) => void;
}

function Question({ asked: { commitment, day, daysAgo }, zone, onAnswer }: QuestionProps) {
  const [isEditing, setEditing] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) change.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const { text, title, subid } = commitment;
  const lead = `${agoOf(daysAgo)} you wanted to:`;
  const id = `asked-${commitment.id}`;
  /** When it is asked next. */
  const next = day === 3 ? `You will be asked once more on ${formatDayName(addDays(dayOf(commitment.createdAt, zone), 14))}.` : 'It stays open in My Progress.';
  const end = (outcome: 'done' | 'dropped', said: string) => {
    onAnswer(setOutcome(commitment, outcome));
    toast(said, { label: 'Undo', run: () => void setOutcome(commitment, 'open') });
  };
  return (
    <li className="asked__item">
      <h3 className="asked__lead">{lead}</h3>
      {isEditing ? (
        <CommitmentForm
          label="What will you do?"
          initial={text.value}
          save="Keep"
          takesFocus
          onSave={(typed) => {
            onAnswer(changeText(commitment, typed, zone));
            toast(`Changed. ${next}`);
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <p className="asked__text" id={id}>
            {text.value}
          </p>
          <p className="asked__book">{subid === null ? title : <Link to={paths.book(subid)}>{title}</Link>}</p>
          <div className="asked__actions" role="group" aria-labelledby={id}>
            <Button data-next onClick={() => end('done', 'Marked as done.')}>
              Done
            </Button>
            <Button
              onClick={() => {
                onAnswer(answerNotYet(commitment, day));
                toast(next);
              }}
            >
              Not yet
            </Button>
            <Button ref={change} kind="quiet" onClick={() => setEditing(true)}>
              Change
            </Button>
            <Button kind="quiet" onClick={() => end('dropped', 'Dropped.')}>
              Drop it
            </Button>
          </div>
        </>
      )}
    </li>
  );
}
