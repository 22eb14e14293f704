import { Link } from 'react-router';
import { Cloze } from '@/features/study/review/components/Cloze';
import type { ListedCard } from '@/features/study/review/listedCards';
import { useOnline } from '@/lib/useOnline';
import { Icon } from '@/ui/Icon';

/** The longest part of a question in the names of its buttons, in characters. */
const NAME_CHARS = 40;

function nameOf(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  return line.length <= NAME_CHARS ? `“${line}”` : `“${line.slice(0, NAME_CHARS).trimEnd()}…”`;
}

interface Props {
  listed: ListedCard;
  /** Null: there is nothing to edit. */
  onEdit: (() => void) | null;
  onPause: () => void;
  onDelete: () => void;
}

/** A card in the list: its question, what it is from, when it comes, and what can be done with it. */
export function CardEntry({ listed: { asked, text, status, when, path }, onEdit, onPause, onDelete }: Props) {
  const { record, card } = asked;
  const online = useOnline();
  const name = nameOf(text.question);
  const isPaused = card.paused.value;
  return (
    <li className="card-entry" data-card={card.id}>
      <p className={text.cloze ? 'card-entry__question card-entry__question--quote' : 'card-entry__question'}>
        {text.cloze ? <Cloze parts={text.cloze} isShown={false} /> : text.question}
      </p>
      <div className="card-entry__foot">
        <p className="card-entry__facts">
          <span className={`card-entry__status card-entry__status--${status} tabular`}>{when}</span>
          {card.title === '' ? (
            <span>Your own question</span>
          ) : path === null ? (
            <span>{card.title}</span>
          ) : (
            <Link className="card-entry__source" to={path}>
              {card.title}
            </Link>
          )}
          {record.unsent === 1 && record.refused === null && !online ? (
            <span className="card-entry__unsent">
              <Icon name="offline" />
              Not sent yet
            </span>
          ) : null}
        </p>
        <p className="card-entry__actions">
          {onEdit ? (
            <button type="button" className="card-entry__action" aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </button>
          ) : null}
          <button type="button" className="card-entry__action" aria-label={`${isPaused ? 'Resume' : 'Pause'} ${name}`} onClick={onPause}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" className="card-entry__action card-entry__delete" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </button>
        </p>
      </div>
      {record.refused === null ? null : (
        <p className="card-entry__refused">
          <Icon name="warning" />
          <span>This card could not be saved: {record.refused}</span>
        </p>
      )}
    </li>
  );
}
