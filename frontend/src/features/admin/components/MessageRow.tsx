import { useId } from 'react';
import { MessageAnswers } from '@/features/admin/components/MessageAnswers';
import { KINDS, aboutOf } from '@/features/admin/filters';
import type { Message } from '@/features/admin/queries';
import { formatAgo } from '@/lib/ago';
import { formatMoment } from '@/lib/format';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

interface Props {
  message: Message;
  /** The time at which the list was fetched. */
  now: number;
  open: boolean;
  onToggle: () => void;
  onDone: (done: boolean) => void;
  /** Called with the updated message once a reply is queued. */
  onAnswered: (message: Message) => void;
}

/** A message: one line, which expands to the full text, and the last answer below it (support.answered-rows). */
export function MessageRow({ message, now, open, onToggle, onDone, onAnswered }: Props) {
  const id = useId();
  const { kind, name, email, body, firstLine, createdAt, doneAt, answer } = message;
  const isQuestion = aboutOf(kind) === 'questions';
  const who = name ?? email ?? 'No name';
  return (
    <li className={open ? 'inbox__item inbox__item--open' : 'inbox__item'}>
      <button type="button" className="inbox__row" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <span className={`badge inbox__kind inbox__kind--${kind}`}>{KINDS[kind]}</span>
        <span className="inbox__who">{who}</span>
        <span className="inbox__start" dir="auto">
          {firstLine}
        </span>
        <span className="inbox__when">
          {doneAt === null || !isQuestion ? null : (
            <span className="inbox__done">
              <Icon name="check" />
              <span className="visually-hidden">Done</span>
            </span>
          )}
          {formatAgo(createdAt, now)}
        </span>
        {answer === null ? null : (
          <span className="inbox__answer" dir="auto">
            <b>{`${answer.by ?? 'A deleted account'}, ${formatAgo(answer.at, now)}:`}</b> {answer.text}
          </span>
        )}
      </button>
      <div id={id} className="inbox__message" hidden={!open}>
        <p className="inbox__from">
          {name ? `${name} · ` : ''}
          {email ? (
            <a className="link" href={`mailto:${email}`}>
              {email}
            </a>
          ) : (
            'no address'
          )}
          {` · ${formatMoment(createdAt)}`}
        </p>
        <p className="inbox__body" dir="auto">
          {body}
        </p>
        {isQuestion ? (
          <div className="inbox__actions">
            <Button onClick={() => onDone(doneAt === null)}>
              <Icon name="check" />
              {doneAt === null ? 'Done' : 'Not done'}
            </Button>
          </div>
        ) : null}
        {open && (isQuestion || email !== null) ? <MessageAnswers message={message} onAnswered={onAnswered} /> : null}
      </div>
    </li>
  );
}
