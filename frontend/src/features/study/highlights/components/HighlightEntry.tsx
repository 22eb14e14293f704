import { Link } from 'react-router';
import { COLOR_NAMES } from '@/shared/study/colors';
import { copyText } from '@/shared/referral/copyText';
import { tagKey, tagsOf } from '@/shared/study/records';
import type { Highlight } from '@/shared/study/records';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { NotSentYet } from '@/features/study/components/NotSentYet';
import { STATES } from '@/features/study/highlights/filterHighlights';
import { placeOf } from '@/features/study/highlights/places';
import { formatDay } from '@/lib/format';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';

/** The longest part of a highlight's words in the names of its buttons, in characters. */
const NAME_CHARS = 40;

function nameOf(words: string): string {
  const line = words.replace(/\s+/g, ' ');
  return line.length <= NAME_CHARS ? `“${line}”` : `“${line.slice(0, NAME_CHARS).trimEnd()}…”`;
}

interface Props {
  record: StudyRecord<Highlight>;
  onEdit: () => void;
  /** Shares it as a picture. */
  onShare: () => void;
  onDelete: () => void;
}

/** A highlight in the list: its words, note and tags, where and when it was made, and what can be done with it. */
export function HighlightEntry({ record, onEdit, onShare, onDelete }: Props) {
  const { state, refused } = record;
  const words = state.anchor?.exact ?? null;
  const name = words === null ? 'a sentence of the recording' : nameOf(words);
  const tags = tagsOf(state);
  const place = placeOf(state);
  return (
    <li className="highlight-entry" data-highlight={state.id}>
      <blockquote className={`highlight-entry__words highlight-entry__words--${state.color.value}`}>
        {words ?? <span className="highlight-entry__heard">A sentence of the recording</span>}
      </blockquote>
      {state.note.value === '' ? null : (
        <p className="highlight-entry__note">
          <span className="visually-hidden">Note: </span>
          {state.note.value}
        </p>
      )}
      {tags.length > 0 ? (
        <ul className="chips highlight-entry__tags" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tagKey(tag)}>
              <Link className="chip chip--plain chip--small" to={`${paths.highlights}?${new URLSearchParams({ tag: tagKey(tag) }).toString()}`}>
                {tag}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="highlight-entry__foot">
        <p className="highlight-entry__facts">
          <span className="visually-hidden">{COLOR_NAMES[state.color.value]}</span>
          {place === null ? null : place.path === null ? (
            <span>{place.label}</span>
          ) : (
            <Link className="highlight-entry__place" to={place.path}>
              {place.label}
            </Link>
          )}
          {state.place?.state === 'changed' ? <span>{STATES.edited}</span> : null}
          {state.place?.state === 'gone' ? <span>{STATES.gone}</span> : null}
          <time className="tabular" dateTime={new Date(state.createdAt).toISOString()}>
            {formatDay(state.createdAt)}
          </time>
          <NotSentYet record={record} className="highlight-entry__unsent" />
        </p>
        <p className="highlight-entry__actions">
          <button type="button" className="highlight-entry__action highlight-entry__edit" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </button>
          {words === null ? null : (
            <>
              <button type="button" className="highlight-entry__action" aria-label={`Copy ${name}`} onClick={() => void copyText(words, 'Copied.')}>
                Copy
              </button>
              <button type="button" className="highlight-entry__action" aria-label={`Share ${name} as a picture`} onClick={onShare}>
                Share
              </button>
            </>
          )}
          <button type="button" className="highlight-entry__action highlight-entry__delete" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </button>
        </p>
      </div>
      {refused === null ? null : (
        <p className="highlight-entry__refused">
          <Icon name="warning" />
          <span>This highlight could not be saved: {refused}</span>
        </p>
      )}
    </li>
  );
}
