// The list of all cards: what each asks, and when it comes.
import { addDays, formatDayName } from '@/shared/study/days';
import { askedCards } from '@/shared/study/review/askedCards';
import type { AskedCard } from '@/shared/study/review/askedCards';
import { cardsInReview } from '@/shared/study/review/reviewOfDay';
import type { StudySnapshot } from '@/shared/study/studyStore';
import { cardPath, textOf } from '@/features/study/review/cards';
import type { CardText } from '@/features/study/review/cards';

export type CardStatus = 'gone' | 'paused' | 'waiting' | 'due' | 'later';

export interface ListedCard {
  asked: AskedCard;
  text: CardText;
  status: CardStatus;
  /** The status in words. */
  when: string;
  /** Where it is opened; null: nowhere. */
  path: string | null;
}

const STATUS_NAMES = { paused: 'Paused', waiting: 'Waits for a plan', due: 'Due today' } as const;

/** Why a card is not asked any more, by its kind. */
const GONE = { idea: 'This idea is no longer in the summary.', highlight: 'Its highlight is gone.', own: 'Its source is gone.' } as const;

interface Wanted {
  records: StudySnapshot;
  zone: string;
  today: string;
  freeLimit: number | null;
  /** Words of the question, the answer, the title or the author; empty: all cards. */
  query: string;
}

/** The cards with all words of the query, those added last first. */
export function listedCards({ records, zone, today, freeLimit, query }: Wanted): ListedCard[] {
  const cards = askedCards(records, zone, today, null);
  const inReview = new Set(
    cardsInReview(
      cards.map(({ facts }) => facts),
      freeLimit,
    ),
  );
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return cards
    .map((asked) => {
      const { card } = asked;
      const shown = { asked, text: textOf(card, records.highlights), path: cardPath(card, records.highlights) };
      return { ...shown, ...statusOf(asked, inReview.has(card.id), today) };
    })
    .filter(({ asked: { card }, text }) => {
      const all = `${text.question}\n${text.answer}\n${card.title}\n${card.author}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .sort((one, other) => other.asked.card.createdAt - one.asked.card.createdAt || other.asked.card.id - one.asked.card.id);
}

function statusOf({ card, facts }: AskedCard, isInReview: boolean, today: string): Pick<ListedCard, 'status' | 'when'> {
  if (!facts.isAskable) return { status: 'gone', when: GONE[card.kind] };
  const status = facts.isPaused ? 'paused' : !isInReview ? 'waiting' : facts.due <= today ? 'due' : 'later';
  const when = status === 'later' ? `Due ${facts.due === addDays(today, 1) ? 'tomorrow' : formatDayName(facts.due)}` : STATUS_NAMES[status];
  return { status, when };
}
