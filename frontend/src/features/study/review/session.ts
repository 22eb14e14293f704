// A review session: the cards that are asked one after the other (study.review-screen). A pure reducer. The last rating can be taken
// back until the page stores it.
import type { CardAnswer } from '@/shared/study/records';

export interface Session {
  /** The cards to ask, the current one first. */
  queue: readonly number[];
  isAnswerShown: boolean;
  /** The last rating, while it is not stored. */
  unsaved: CardAnswer | null;
  /** The first rating of each card in this session, by card. */
  first: ReadonlyMap<number, CardAnswer>;
  /** How often a card was turned to. */
  turn: number;
}

export type SessionAction =
  /** The cards that are due now, in the order of the day's review. */
  | { type: 'due'; due: readonly number[] }
  | { type: 'show' }
  | { type: 'rate'; answer: CardAnswer }
  | { type: 'undo' }
  /** The rating with this id was stored. */
  | { type: 'saved'; id: number };

export const NEW_SESSION: Session = { queue: [], isAnswerShown: false, unsaved: null, first: new Map(), turn: 0 };

/** The queue after a change of what is due: the current card stays, and cards that were rated in this session are asked last, in their order. */
function queueOf({ queue, first }: Session, due: readonly number[]): number[] {
  const isDue = new Set(due);
  const [current] = queue;
  const again = queue.filter((id) => first.has(id) && isDue.has(id));
  const rest = [...due.filter((id) => !again.includes(id)), ...again];
  return current === undefined || !isDue.has(current) ? rest : [current, ...rest.filter((id) => id !== current)];
}

const isSame = (one: readonly number[], other: readonly number[]): boolean => one.length === other.length && one.every((id, at) => id === other[at]);

export function sessionReducer(session: Session, action: SessionAction): Session {
  const { queue, unsaved, first, turn } = session;
  const [current] = queue;
  switch (action.type) {
    case 'due': {
      const next = queueOf(session, action.due);
      if (isSame(next, queue)) return session;
      const stays = next[0] === current;
      return { ...session, queue: next, isAnswerShown: stays && session.isAnswerShown, turn: stays ? turn : turn + 1 };
    }
    case 'show':
      return current === undefined ? session : { ...session, isAnswerShown: true };
    case 'rate': {
      const { answer } = action;
      if (!session.isAnswerShown || answer.cardId !== current) return session;
      const rest = queue.slice(1);
      return {
        // A card answered Again is asked once more, after the others (study.review-schedule).
        queue: answer.rating === 1 ? [...rest, current] : rest,
        isAnswerShown: false,
        unsaved: answer,
        first: first.has(current) ? first : new Map(first).set(current, answer),
        turn: turn + 1,
      };
    }
    case 'undo': {
      if (!unsaved) return session;
      const { id, cardId } = unsaved;
      return {
        queue: [cardId, ...queue.filter((other) => other !== cardId)],
        isAnswerShown: true,
        unsaved: null,
        first: first.get(cardId)?.id === id ? new Map([...first].filter(([other]) => other !== cardId)) : first,
        turn: turn + 1,
      };
    }
    case 'saved':
      return unsaved?.id === action.id ? { ...session, unsaved: null } : session;
  }
}

/** How many cards of the session are done, and how many there are in all. A card that is asked again counts once. */
export function progressOf({ queue, first }: Session): { done: number; total: number } {
  const done = [...first.keys()].filter((id) => !queue.includes(id)).length;
  return { done, total: done + queue.length };
}

/** What the end of a session says: how many cards were rated, and how many of them were not rated Again at first. */
export const resultOf = ({ first }: Session): { cards: number; right: number } => ({
  cards: first.size,
  right: [...first.values()].filter(({ rating }) => rating > 1).length,
});
