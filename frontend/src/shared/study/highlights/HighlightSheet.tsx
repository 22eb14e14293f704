import { Suspense, lazy, useEffect, useEffectEvent, useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import { plural } from '@/lib/format';
import { nextMoment } from '@/shared/positions/places';
import { copyText } from '@/shared/referral/copyText';
import { COLORS, COLOR_NAMES } from '@/shared/study/colors';
import { pictureChunk } from '@/shared/study/highlights/pictureChunk';
import { MAX_TAGS, NOTE_MAX, joinedNotes, tagKey, tagsOf, withTag } from '@/shared/study/records';
import type { Highlight } from '@/shared/study/records';
import { saveHighlights } from '@/shared/study/saveHighlights';
import { shownHighlights, studyStore, useStudy } from '@/shared/study/studyStore';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { useChunk } from '@/ui/chunk';
import { Dialog } from '@/ui/Dialog';
import { TextArea, TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';

const ReviewOfHighlight = lazy(() => import(/* webpackChunkName: "highlight-review" */ '@/shared/study/highlights/ReviewOfHighlight'));

/** The longest tag, in characters (study.highlight-notes). */
const TAG_MAX = 40;
/** From how many characters on the sheet says how many are left. */
const NOTE_LONG = 4_500;
/** How long the note has to stay as it is before it is stored, in milliseconds. */
const TYPED = 500;

/** The note as it was typed here. */
interface Typed {
  text: string;
  /** The note that was stored of it; null: nothing since the last key. */
  stored: string | null;
}

interface Props {
  record: StudyRecord<Highlight>;
  /** Its words were edited since. */
  isChanged: boolean;
  /** The note takes the focus. */
  isNoting: boolean;
  onClose: () => void;
  onDelete: () => void;
}

/** What a highlight has: its words, color, note and tags. A change is stored at once, the note while it is typed. */
export function HighlightSheet({ record, isChanged, isNoting, onClose, onDelete }: Props) {
  const { state, refused, overtaken } = record;
  const [typed, setTyped] = useState<Typed | null>(null);
  const [isOver, setOver] = useState(false);
  /** How often the picture was opened, and whether it is open. */
  const [sharing, setSharing] = useState({ count: 0, isOpen: false });
  const picture = useChunk(pictureChunk, sharing.isOpen, sharing.count);
  const colorName = useId();
  // What was typed and stored gives way to a note that another tab or device has set since.
  const isTyped = typed !== null && (typed.stored === null || typed.stored === state.note.value);
  const note = isTyped ? typed.text : state.note.value;
  const store = (text: string) => {
    setTyped({ text, stored: text.trim() });
    saveNote(state, text);
  };
  const storeTyped = () => {
    if (typed?.stored === null) store(typed.text);
  };
  const storeLater = useEffectEvent(storeTyped);
  useEffect(() => {
    const timer = setTimeout(() => storeLater(), TYPED);
    return () => clearTimeout(timer);
  }, [typed]);
  const close = () => {
    storeTyped();
    onClose();
  };
  const addOvertaken = (text: string) => {
    const both = joinedNotes([note, text]);
    const isTooLong = both.trim().length > NOTE_MAX;
    setOver(isTooLong);
    if (isTooLong) return;
    store(both);
    void studyStore.settleNote(state.id);
  };
  return (
    <>
      <Dialog open onClose={close} title="Highlight" side="right" className="highlight-sheet">
        {refused === null ? null : <Alert kind="warning">This highlight could not be saved: {refused}</Alert>}
        <blockquote className={`highlight-sheet__quote highlight-sheet__quote--${state.color.value}`}>{state.anchor?.exact}</blockquote>
        {isChanged ? <p className="highlight-sheet__changed">The text was edited since. These are the words that you highlighted.</p> : null}
        <fieldset className="highlight-sheet__colors">
          <legend className="field__label">Color</legend>
          {COLORS.map((color) => (
            <label key={color} className="highlight-sheet__color">
              <input
                type="radio"
                className="highlight-sheet__radio"
                name={colorName}
                checked={state.color.value === color}
                onChange={() => void save({ ...state, color: { value: color, at: nextMoment() } })}
              />
              <span className={`swatch swatch--${color}`} aria-hidden="true">
                a
              </span>
              {COLOR_NAMES[color]}
            </label>
          ))}
        </fieldset>
        <TextArea
          label="Note"
          rows={5}
          maxLength={NOTE_MAX}
          value={note}
          {...(isNoting && { 'data-first-focus': true })}
          {...(note.length > NOTE_LONG && { hint: `${plural(NOTE_MAX - note.length, 'character')} left` })}
          error={isOver ? 'Please keep your note to 5,000 characters.' : null}
          onChange={({ target }) => {
            setOver(false);
            setTyped({ text: target.value, stored: null });
          }}
          onBlur={storeTyped}
        />
        {overtaken === null ? null : (
          <Alert>
            <p>Another device has replaced a note that you wrote here: “{overtaken}”</p>
            <p className="actions">
              <Button kind="quiet" onClick={() => addOvertaken(overtaken)}>
                Add it
              </Button>
              <Button
                kind="quiet"
                onClick={() => {
                  setOver(false);
                  void studyStore.settleNote(state.id);
                }}
              >
                Leave it
              </Button>
            </p>
          </Alert>
        )}
        <Tags state={state} />
        <Suspense fallback={null}>
          <ReviewOfHighlight highlight={state} />
        </Suspense>
        <p className="highlight-sheet__actions">
          <Button onClick={close}>Done</Button>
          <Button kind="quiet" onClick={() => void copyText(state.anchor?.exact ?? '', 'Copied.')}>
            Copy
          </Button>
          {state.anchor ? (
            <Button kind="quiet" busy={sharing.isOpen && !picture} onClick={() => setSharing(({ count }) => ({ count: count + 1, isOpen: true }))}>
              Share as a picture
            </Button>
          ) : null}
          <Button kind="quiet" onClick={onDelete}>
            Delete
          </Button>
        </p>
      </Dialog>
      {sharing.isOpen && picture ? <picture.HighlightPicture highlight={state} onClose={() => setSharing({ ...sharing, isOpen: false })} /> : null}
    </>
  );
}

const save = (state: Highlight): Promise<void> => saveHighlights([state]);

/** Stores a note that is not the stored one, which it replaces also when that was set by a clock that is ahead. */
function saveNote(state: Highlight, note: string): void {
  const value = note.trim();
  if (value !== state.note.value) void save({ ...state, note: { value, at: Math.max(nextMoment(), state.note.at + 1) } });
}

function Tags({ state }: { state: Highlight }) {
  const [typed, setTyped] = useState('');
  const listId = useId();
  const now = useStudy((snapshot) => snapshot);
  const known = [...new Set(shownHighlights(now).flatMap((one) => tagsOf(one.state)))].sort();
  const tags = tagsOf(state);
  const isFull = tags.length >= MAX_TAGS;
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const tag = typed.replace(/^[#\s]+/, '').trim();
    setTyped('');
    if (tag === '' || tags.some((one) => tagKey(one) === tagKey(tag))) return;
    void save(withTag(state, tag, true, nextMoment()));
  };
  return (
    <div className="highlight-sheet__tags">
      {tags.length > 0 ? (
        <ul className="highlight-sheet__tag-list" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tagKey(tag)} className="highlight-sheet__tag">
              {tag}
              <button
                type="button"
                className="highlight-sheet__remove"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => void save(withTag(state, tag, false, nextMoment()))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <form onSubmit={add}>
        <TextField
          label="Add a tag"
          list={listId}
          maxLength={TAG_MAX}
          autoCapitalize="none"
          value={typed}
          disabled={isFull}
          hint={isFull ? 'A highlight has up to 20 tags.' : 'Press Enter after each.'}
          onChange={({ target }) => setTyped(target.value)}
        />
        <datalist id={listId}>
          {known.map((tag) => (
            <option key={tagKey(tag)} value={tag} />
          ))}
        </datalist>
      </form>
    </div>
  );
}
