// The calls of listening and watching, as their contract has them. Written by hand until the server describes them.
import type { BookCard, CallName } from '@/api/types';
import type { Chapter, Mark } from '@/lib/listening';

export interface AudioResult {
  url: string;
  type: string;
  seconds: number;
  until: number;
  chapters: Chapter[];
  marks: Mark[];
}

export interface VideoResult {
  book: BookCard;
  url: string | null;
  type: string | null;
  poster: string | null;
  captions: string | null;
  seconds: number | null;
  until: number | null;
}

export const AUDIO = 'GET /api/books/{id}/audio' as CallName;
export const VIDEO = 'GET /api/books/{id}/video' as CallName;
