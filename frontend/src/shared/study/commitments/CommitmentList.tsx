// All commitments of a member on My Progress, by state, to edit and to delete (study.commitment-list), with the store.
import '@/shared/study/commitments/commitments.css';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { formatDay } from '@/lib/format';
import { useOnline } from '@/lib/useOnline';
import { paths } from '@/paths';
import { currentMember } from '@/shared/session/account';
import { CommitmentForm } from '@/shared/study/commitments/CommitmentForm';
import { OUTCOMES } from '@/shared/study/commitments/commitment';
import type { Commitment, Outcome } from '@/shared/study/commitments/commitment';
import { changeText, paragraphOf, removeCommitment, restoreCommitment, setOutcome } from '@/shared/study/commitments/commitmentChanges';
import { useCommitments, useMemberZone } from '@/shared/study/commitments/useCommitments';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { studyStore } from '@/shared/study/studyStore';
import { Icon } from '@/ui/Icon';
import { Segmented } from '@/ui/Segmented';
import { toast } from '@/ui/toast';

/** Reads the member's records on this device. */
export async function loadCommitments(): Promise<void> {
  const member = currentMember();
  if (member !== null) await studyStore.load(member).catch(() => undefined);
}

const STATES: Record<Outcome, string> = { open: 'Open', done: 'Done', dropped: 'Dropped' };
const OPTIONS = OUTCOMES.map((value) => ({ value, label: STATES[value] }));

/** The longest part of a text in the names of its buttons, in characters. */
const NAME_CHARS = 40;

const nameOf = (text: string): string => (text.length <= NAME_CHARS ? `“${text}”` : `“${text.slice(0, NAME_CHARS).trimEnd()}…”`);

export function CommitmentList() {
  const member = currentMember();
  return member === null ? null : <OfMember key={member} member={member} />;
}

function OfMember({ member }: { member: number }) {
  const commitments = useCommitments(member);
  const title = useRef<HTMLHeadingElement>(null);
  const [editing, setEditing] = useState<number | null>(null);
  /** The section stays when its last commitment is deleted, and has the focus. */
  const [wasShown, setShown] = useState(false);
  const isAny = commitments !== null && commitments.length > 0;
  if (isAny && !wasShown) setShown(true);
  const root = useRef<HTMLElement>(null);
  /** The commitment whose button gets the focus once it is rendered; null: the heading. */
  const wanted = useRef<{ id: number | null } | null>(null);
  useLayoutEffect(() => {
    const target = wanted.current;
    if (target === null) return;
    wanted.current = null;
    const entry = target.id === null ? null : root.current?.querySelector<HTMLElement>(`[data-commitment="${target.id}"] button`);
    (entry ?? title.current)?.focus();
  });
  if (!isAny && !wasShown) return null;
  const close = (id: number) => {
    wanted.current = { id };
    setEditing(null);
  };
  const remove = (commitment: Commitment) => {
    wanted.current = { id: null };
    void removeCommitment(commitment);
    toast('Commitment deleted.', { label: 'Undo', run: () => void restoreCommitment(commitment) });
  };
  return (
    <section className="section commitments" aria-labelledby="commitments" ref={root}>
      <h2 className="section__title" id="commitments" ref={title} tabIndex={-1}>
        Commitments
      </h2>
      <p className="commitments__hint">{isAny ? 'What you wanted to do after a book, and what became of it.' : 'None are left.'}</p>
      {OUTCOMES.map((outcome) => {
        const all = commitments?.filter(({ state }) => state.outcome.value === outcome) ?? [];
        return all.length === 0 ? null : (
          <div key={outcome} className="commitments__group">
            <h3 className="commitments__state">
              {STATES[outcome]} <span className="commitments__count tabular">{all.length}</span>
            </h3>
            <ul className="commitments__list">
              {all.map((record) => (
                <li key={record.id} className="commitments__entry" data-commitment={record.id}>
                  {editing === record.id ? (
                    <Edit commitment={record.state} onClose={() => close(record.id)} />
                  ) : (
                    <Entry record={record} onEdit={() => setEditing(record.id)} onDelete={() => remove(record.state)} />
                  )}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

function Edit({ commitment, onClose }: { commitment: Commitment; onClose: () => void }) {
  const zone = useMemberZone();
  const [outcome, setTo] = useState(commitment.outcome.value);
  const save = async (text: string) => {
    onClose();
    if (outcome !== commitment.outcome.value) await setOutcome(commitment, outcome);
    if (paragraphOf(text) !== commitment.text.value) await changeText(commitment, text, zone);
  };
  return (
    <div className="commitments__edit">
      <Segmented legend="What became of it?" name={`outcome-${commitment.id}`} options={OPTIONS} value={outcome} onChange={setTo} />
      <CommitmentForm
        label="What you want to do"
        initial={commitment.text.value}
        save="Save"
        takesFocus
        onSave={(text) => void save(text)}
        onCancel={onClose}
      />
    </div>
  );
}

/** When a commitment was made, or what became of it. */
const whenOf = ({ createdAt, outcome }: Commitment): string => {
  if (outcome.value === 'open') return `Since ${formatDay(createdAt)}`;
  return `${STATES[outcome.value]} on ${formatDay(outcome.at)}`;
};

interface EntryProps {
  record: StudyRecord<Commitment>;
  onEdit: () => void;
  onDelete: () => void;
}

function Entry({ record: { state, unsent, refused }, onEdit, onDelete }: EntryProps) {
  const online = useOnline();
  const { subid, title, text } = state;
  const name = nameOf(text.value);
  return (
    <>
      <p className="commitments__text">{text.value}</p>
      <div className="commitments__foot">
        <p className="commitments__facts">
          {subid === null ? (
            <span>{title}</span>
          ) : (
            <Link className="commitments__book" to={paths.book(subid)}>
              {title}
            </Link>
          )}
          <span className="tabular">{whenOf(state)}</span>
          {unsent === 1 && refused === null && !online ? (
            <span className="commitments__unsent">
              <Icon name="offline" />
              Not sent yet
            </span>
          ) : null}
        </p>
        <p className="commitments__actions">
          <button type="button" className="commitments__action" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </button>
          <button type="button" className="commitments__action" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </button>
        </p>
      </div>
      {refused === null ? null : (
        <p className="commitments__refused">
          <Icon name="warning" />
          <span>This commitment could not be saved: {refused}</span>
        </p>
      )}
    </>
  );
}
