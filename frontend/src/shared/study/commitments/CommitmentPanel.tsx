// What a member will do with a book, at its end, with the store: the reader loads it with the end of the book (study.kept-commitments).
import { useEffect, useRef, useState } from 'react';
import { queryClient } from '@/api/queryClient';
import { formatDay } from '@/lib/format';
import { splitSections } from '@/lib/sections';
import { accountQuery, currentMember } from '@/shared/session/account';
import { CommitmentForm } from '@/shared/study/commitments/CommitmentForm';
import { ASKING_DAYS } from '@/shared/study/commitments/commitment';
import type { Commitment } from '@/shared/study/commitments/commitment';
import { changeText, keepCommitment } from '@/shared/study/commitments/commitmentChanges';
import type { CommitmentBook } from '@/shared/study/commitments/commitmentChanges';
import { useAsksCommitments, useCommitments, useMemberZone } from '@/shared/study/commitments/useCommitments';
import { addDays, dayOf, formatDayName } from '@/shared/study/days';
import { Button } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';

const TITLE = 'What will you do with it?';

/** What was typed and not kept, by book: the card can be closed and opened again. */
const drafts = new Map<number, string>();

/** The titles of a book's key ideas, each once. */
const ideasOf = (body: string | null): string[] => [...new Set(splitSections(body ?? '').map(({ title }) => title))].filter((title) => title !== '');

interface Props {
  book: CommitmentBook & { body: string | null };
}

export function CommitmentPanel({ book }: Props) {
  const isAsked = useAsksCommitments();
  const [member, setMember] = useState(currentMember);
  useEffect(() => {
    if (member === null) {
      queryClient.query(accountQuery()).then(
        ({ id }) => setMember(id),
        () => undefined,
      );
    }
  }, [member]);
  if (!isAsked) return null;
  return member === null ? <Waiting /> : <OfMember key={member} member={member} book={book} />;
}

const Waiting = () => (
  <div className="commitment commitment--waiting" aria-hidden="true">
    <SkeletonText width={50} />
    <SkeletonText width={90} />
  </div>
);

function OfMember({ member, book }: Props & { member: number }) {
  const commitments = useCommitments(member);
  const open = commitments?.find(({ state }) => state.bookId === book.id && state.outcome.value === 'open')?.state ?? null;
  const [isEditing, setEditing] = useState(false);
  const zone = useMemberZone();
  /** What has the focus once a form is closed. */
  const [focus, setFocus] = useState<'kept' | 'change' | null>(null);
  if (!commitments) return <Waiting />;
  if (open && !isEditing) {
    return <Kept commitment={open} zone={zone} focus={focus} onFocused={() => setFocus(null)} onChange={() => setEditing(true)} />;
  }
  const keep = (text: string) => {
    drafts.delete(book.id);
    setFocus('kept');
    setEditing(false);
    void (open ? changeText(open, text, zone) : keepCommitment(book, text));
  };
  return (
    <div className="commitment">
      <CommitmentForm
        key={String(isEditing)}
        label={TITLE}
        initial={open ? open.text.value : (drafts.get(book.id) ?? '')}
        ideas={ideasOf(book.body)}
        save="Keep"
        takesFocus={isEditing}
        onDraft={(text) => {
          if (!open) drafts.set(book.id, text);
        }}
        onSave={keep}
        onCancel={
          open
            ? () => {
                setFocus('change');
                setEditing(false);
              }
            : null
        }
      />
    </div>
  );
}

interface KeptProps {
  commitment: Commitment;
  zone: string;
  focus: 'kept' | 'change' | null;
  onFocused: () => void;
  onChange: () => void;
}

/** When the member is asked next, each date on one line; null: no more. */
function nextAsking({ createdAt, answeredDay }: Commitment, zone: string): string | null {
  const firstDay = dayOf(createdAt, zone);
  const days = ASKING_DAYS.filter((day) => day > (answeredDay ?? 0)).map((day) => formatDayName(addDays(firstDay, day)).replaceAll(' ', '\u00A0'));
  return days.length > 0 ? days.join(' and on ') : null;
}

function Kept({ commitment, zone, focus, onFocused, onChange }: KeptProps) {
  const kept = useRef<HTMLDivElement>(null);
  const change = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focus === null) return;
    (focus === 'kept' ? kept : change).current?.focus();
    onFocused();
  }, [focus, onFocused]);
  const next = nextAsking(commitment, zone);
  return (
    <div className="commitment commitment__kept">
      <div ref={kept} tabIndex={-1} className="commitment__words">
        <p className="commitment__lead">You want to:</p>
        <p className="commitment__text">{commitment.text.value}</p>
        <p className="commitment__note">{next === null ? `Kept on ${formatDay(commitment.createdAt)}.` : `You will be asked about it on Home, on ${next}.`}</p>
      </div>
      <Button ref={change} onClick={onChange}>
        Change
      </Button>
    </div>
  );
}
