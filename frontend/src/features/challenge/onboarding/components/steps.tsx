import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Onboarding } from '@/features/challenge/onboarding/queries';
import { formatNumber, plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { site } from '@/lib/site';
import { useStepHeading } from '@/lib/useStepHeading';
import { BookCover } from '@/ui/BookCard';
import { Button } from '@/ui/Button';
import { CheckCard } from '@/ui/Check';
import { Icon } from '@/ui/Icon';

interface Props {
  title: string;
  lead?: string;
  children?: ReactNode;
  actions: ReactNode;
}

/** The layout of a step: its content, and the buttons within reach of the thumb. */
function Step({ title, lead, children, actions }: Props) {
  const heading = useStepHeading();
  return (
    <div className="onboarding__step">
      <h1 className="onboarding__title" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {lead ? <p className="onboarding__lead">{lead}</p> : null}
      {children}
      <div className="onboarding__actions">{actions}</div>
    </div>
  );
}

const Continue = ({ onNext, children = 'Continue' }: { onNext: () => void; children?: string }) => (
  <Button kind="primary" large className="onboarding__next" onClick={onNext}>
    {children}
  </Button>
);

interface PickProps {
  picked: readonly number[];
  onPick: (ids: number[]) => void;
  onNext: () => void;
}

const toggled = (picked: readonly number[], id: number, on: boolean) => (on ? [...picked, id] : picked.filter((one) => one !== id));

export function GoalStep({ goals, picked, onPick, onNext }: PickProps & Pick<Onboarding, 'goals'>) {
  return (
    <Step title="What would you like to get better at?" lead="Pick as many as you like." actions={<Continue onNext={onNext} />}>
      <fieldset>
        <legend className="visually-hidden">Goals</legend>
        <div className="onboarding__choices">
          {goals.map(({ id, title, photo, photov2 }) => (
            <CheckCard
              key={id}
              label={title}
              image={photo ?? photov2}
              checked={picked.includes(id)}
              onChange={(event) => onPick(toggled(picked, id, event.target.checked))}
            />
          ))}
        </div>
      </fieldset>
    </Step>
  );
}

export function CategoryStep({ categories, picked, onPick, onNext }: PickProps & Pick<Onboarding, 'categories'>) {
  return (
    <Step title="What are you curious about?" lead="Pick as many as you like." actions={<Continue onNext={onNext} />}>
      <fieldset>
        <legend className="visually-hidden">Categories</legend>
        <div className="onboarding__choices onboarding__choices--many">
          {categories.map(({ id, name, small_image, hue }) => (
            <CheckCard
              key={id}
              label={name}
              image={small_image}
              hue={hueClass(hue)}
              checked={picked.includes(id)}
              onChange={(event) => onPick(toggled(picked, id, event.target.checked))}
            />
          ))}
        </div>
      </fieldset>
    </Step>
  );
}

/** This site's own statistics; without any, how a summary is made. */
export function ProofStep({ figures: { readers, reads, ratings, rating }, onNext }: Pick<Onboarding, 'figures'> & { onNext: () => void }) {
  const counted = [
    readers === null ? null : { figure: formatNumber(readers), text: readers === 1 ? 'person has finished a summary' : 'people have finished a summary' },
    reads === null ? null : { figure: formatNumber(reads), text: reads === 1 ? 'summary opened so far' : 'summaries opened so far' },
    rating === null || ratings === null ? null : { figure: `${rating.toFixed(1)} of 5`, text: `in ${plural(ratings, 'rating')} by members` },
  ].filter((one) => one !== null);
  if (counted.length === 0) {
    return (
      <Step
        title="Fifteen minutes, one great book"
        lead="Each summary is six to ten key ideas, one to a page, in plain and careful prose. Read it, or listen while you walk."
        actions={<Continue onNext={onNext} />}
      />
    );
  }
  return (
    <Step title="You are in good company" lead={`As counted here on ${site.name}.`} actions={<Continue onNext={onNext} />}>
      <ul className="proof">
        {counted.map(({ figure, text }) => (
          <li key={text} className="proof__one">
            <span className="proof__figure tabular">{figure}</span> <span className="proof__text">{text}</span>
          </li>
        ))}
      </ul>
    </Step>
  );
}

export function WelcomeStep({ onNext }: { onNext: () => void }) {
  return (
    <Step
      title={`Welcome to ${site.name}`}
      lead="One last thing: five books. Tell us which ones you would read, judging by the cover alone."
      actions={<Continue onNext={onNext}>Show me</Continue>}
    />
  );
}

/** Five books in turn; either button advances (challenge.onboarding-steps). */
export function ThumbStep({ books, onNext }: Pick<Onboarding, 'books'> & { onNext: () => void }) {
  const [at, setAt] = useState(0);
  const book = books[at];
  const advance = () => {
    if (at + 1 < books.length) setAt(at + 1);
    else onNext();
  };
  if (!book) return <Step title="Nearly there" actions={<Continue onNext={onNext} />} />;
  return (
    <Step
      title="Would you read this?"
      actions={
        <div className="thumbs__answers" role="group" aria-label={`Would you read ${book.title}?`}>
          <Button large onClick={advance}>
            <Icon name="close" />
            Not for me
          </Button>
          <Button large onClick={advance}>
            <Icon name="heart" />I would
          </Button>
        </div>
      }
    >
      <div className="thumbs" aria-live="polite" aria-atomic="true">
        <div key={book.id} className="thumbs__book">
          <div className="thumbs__cover">
            <BookCover book={book} eager />
          </div>
          <p className="thumbs__title">{book.title}</p>
          <p className="thumbs__author">{book.author}</p>
        </div>
        <p className="thumbs__count tabular">{`${at + 1} of ${books.length}`}</p>
      </div>
      {/* Preloads the next cover. */}
      <div hidden>{books[at + 1] ? <BookCover book={books[at + 1] ?? book} eager /> : null}</div>
    </Step>
  );
}
