// What a member wants to do after a book (study.kept-commitments).
import type { Register } from '@/shared/study/records';

/** What has become of a commitment; of two that were set at one moment the later one here counts. */
export const OUTCOMES = ['open', 'done', 'dropped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** On which days after a commitment was made the member is asked about it (study.commitment-askings). */
export const ASKING_DAYS = [3, 14] as const;
export type AskingDay = (typeof ASKING_DAYS)[number];

/** The longest text, in characters. */
export const COMMITMENT_MAX_CHARS = 500;

export interface Commitment {
  id: number;
  /** Null: the book was deleted. */
  bookId: number | null;
  subid: string | null;
  title: string;
  author: string;
  text: Register<string>;
  outcome: Register<Outcome>;
  /** The latest asking that was answered, and with it those before; null: none. */
  answeredDay: AskingDay | null;
  createdAt: number;
  /** A later change of the text or the outcome brings the commitment back. */
  deletedAt: number | null;
  /** The number of the server's last change; null: the server does not have it yet. */
  version: number | null;
}

/** The latest moment of any part of a commitment. */
export const commitmentEditedAt = ({ createdAt, text, outcome }: Commitment): number => Math.max(createdAt, text.at, outcome.at);

/** Whether a commitment is there: it was not deleted, or was changed since. */
export const isCommitmentShown = (commitment: Commitment): boolean => commitment.deletedAt === null || commitment.deletedAt < commitmentEditedAt(commitment);

/** The text of a commitment that begins with the title of a key idea (study.kept-commitments). */
export const textOfIdea = (title: string): string => `Use this: ${title}`;
