import '@/shared/study/hideWords.css';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { charsOf } from '@/shared/study/chars';
import { blanksError, wordToHide, wordsIn } from '@/shared/study/cloze';
import type { Word } from '@/shared/study/cloze';
import type { Blank } from '@/shared/study/records';
import { Button } from '@/ui/Button';

const ERRORS = { none: 'Please choose the words to hide.', all: 'Please leave at least one word.' } as const;

interface Props {
  /** The words of the highlight, of which `canHide`. */
  words: string;
  /** The words that are hidden now; without them one word is chosen. */
  blanks?: readonly Blank[];
  label?: string;
  onSave: (blanks: Blank[]) => void;
}

/** Chooses the words of a highlight that its review card hides (study.card-questions). The arrow keys move from word to word. */
export function HideWords({ words: text, blanks, label = 'Add to review', onSave }: Props) {
  const words = wordsIn(text);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(() => new Set(startsOf(text, words, blanks)));
  /** The word that the Tab key leads to. */
  const [stop, setStop] = useState(() => words.findIndex(({ start }) => hidden.has(start)));
  const [first] = useState(stop);
  const [error, setError] = useState<string | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const id = useId();
  const toggle = (start: number) => {
    const next = new Set(hidden);
    if (!next.delete(start)) next.add(start);
    setHidden(next);
    setError(null);
  };
  const moveTo = (event: KeyboardEvent, at: number) => {
    event.preventDefault();
    const to = Math.min(Math.max(0, at), words.length - 1);
    setStop(to);
    group.current?.querySelectorAll<HTMLElement>('button')[to]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = Math.max(0, stop);
    if (event.key === 'ArrowRight' || event.key === 'ArrowDown') moveTo(event, at + 1);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') moveTo(event, at - 1);
    else if (event.key === 'Home') moveTo(event, 0);
    else if (event.key === 'End') moveTo(event, words.length - 1);
  };
  const save = () => {
    const chosen = words.filter(({ start }) => hidden.has(start)).map(({ start, end }) => ({ start, end }));
    const wrong = blanksError(text, chosen);
    if (wrong === null) onSave(chosen);
    else setError(ERRORS[wrong]);
  };
  return (
    <div className="hide-words">
      <p className="hide-words__hint" id={`${id}-hint`}>
        Choose the words to hide. You are asked for them.
      </p>
      <div
        ref={group}
        className="hide-words__text"
        role="toolbar"
        aria-label="Words to hide"
        aria-describedby={`${id}-hint`}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {words.map((word, at) => (
          <WordButton
            key={word.start}
            // The text before it, from the end of the word before.
            before={charsOf(text, words[at - 1]?.end ?? 0, word.start)}
            word={word}
            isHidden={hidden.has(word.start)}
            isStop={at === Math.max(0, stop)}
            isFirst={at === first}
            onFocus={() => setStop(at)}
            onPress={() => toggle(word.start)}
          />
        ))}
        {charsOf(text, words.at(-1)?.end ?? 0, Infinity)}
      </div>
      {error === null ? null : (
        <p className="field__error" role="alert">
          {error}
        </p>
      )}
      <p>
        <Button kind="primary" onClick={save}>
          {label}
        </Button>
      </p>
    </div>
  );
}

/** The starts of the words that are hidden at first. */
function startsOf(text: string, words: readonly Word[], blanks: readonly Blank[] | undefined): number[] {
  if (!blanks) {
    const word = wordToHide(text);
    return word ? [word.start] : [];
  }
  return words.filter((word) => blanks.some(({ start, end }) => word.start >= start && word.end <= end)).map(({ start }) => start);
}

interface WordProps {
  before: string;
  word: Word;
  isHidden: boolean;
  isStop: boolean;
  /** It takes the focus when a dialog opens for the words. */
  isFirst: boolean;
  onFocus: () => void;
  onPress: () => void;
}

function WordButton({ before, word, isHidden, isStop, isFirst, onFocus, onPress }: WordProps) {
  return (
    <>
      {before}
      <button
        type="button"
        className="hide-words__word"
        aria-pressed={isHidden}
        tabIndex={isStop ? 0 : -1}
        {...(isFirst && { 'data-first-focus': true })}
        onFocus={onFocus}
        onClick={onPress}
      >
        {word.text}
      </button>
    </>
  );
}
