import { Link } from 'react-router';
import { Cloze } from '@/features/study/review/components/Cloze';
import { cardPath, highlightsInIdea, textOf } from '@/features/study/review/cards';
import type { ReviewCard } from '@/shared/study/records';
import type { StudySnapshot } from '@/shared/study/studyStore';
import { paths } from '@/paths';

interface Props {
  card: ReviewCard;
  highlights: StudySnapshot['highlights'];
  isAnswerShown: boolean;
}

/** A card: its source, its question, and its answer once it is shown. `data-focus` takes the focus after a change. */
export function CardFace({ card, highlights, isAnswerShown }: Props) {
  const { cloze, question } = textOf(card, highlights);
  return (
    <article className={isAnswerShown ? 'review-card review-card--answered' : 'review-card'} aria-label="Card">
      {card.title === '' ? null : (
        <p className="review-card__source">
          <span className="review-card__book">{card.title}</span>
          {card.author === '' ? null : <span>{card.author}</span>}
        </p>
      )}
      <h2
        className={cloze ? 'review-card__question review-card__question--quote' : 'review-card__question'}
        tabIndex={-1}
        {...(!isAnswerShown && { 'data-focus': true })}
      >
        {cloze ? <Cloze parts={cloze} isShown={isAnswerShown} /> : question}
      </h2>
      {isAnswerShown ? <Answer card={card} highlights={highlights} /> : null}
    </article>
  );
}

function Answer({ card, highlights }: Omit<Props, 'isAnswerShown'>) {
  const { cloze, answer } = textOf(card, highlights);
  const own = highlightsInIdea(card, highlights);
  const isLocked = card.schedule?.isLocked === true;
  const path = cardPath(card, highlights);
  // Of a highlight the words that were hidden: the others stand in the question.
  const shown = cloze ? cloze.flatMap(({ text, isHidden }) => (isHidden ? [text] : [])).join(' · ') : answer;
  return (
    <section className="review-card__answer">
      <h3 className="review-card__label" tabIndex={-1} data-focus>
        Answer
      </h3>
      {shown === '' ? null : <p className="review-card__text">{shown}</p>}
      {isLocked ? (
        <p className="review-card__locked">
          The text of this idea is part of a plan. <Link to={paths.try}>Upgrade to read it again</Link>
        </p>
      ) : null}
      {own.length > 0 ? (
        <>
          <h4 className="review-card__label">Your highlights</h4>
          <ul className="review-card__highlights">
            {own.map(({ id, anchor, color }) => (
              <li key={id} className={`review-card__highlight review-card__highlight--${color.value}`}>
                {anchor?.exact}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {path === null || isLocked ? null : (
        <p>
          <Link className="link review-card__link" to={path}>
            {card.kind === 'idea' ? 'Read the idea' : 'Read it in the summary'}
          </Link>
        </p>
      )}
    </section>
  );
}
