// The shapes on the wire. Times are milliseconds since the epoch, ids positive integers.

export type Role = 'member' | 'editor' | 'admin';

export interface User {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  timezone: string;
  role: Role;
  planId: string | null;
  planName: string | null;
  paidDate: number | null;
  endPaidDate: number | null;
  recommends: number[];
  friendEmail: string | null;
  isPaid: boolean;
}

export interface CategoryRef {
  id: number;
  subid: string;
  name: string;
  hue: number;
}

export interface Category extends CategoryRef {
  small_image: string;
  bookCount: number;
}

export interface SearchMatch {
  section: { title: string; place: number } | null;
  /** Plain text; found words stand between U+E000 and U+E001. */
  passage: string | null;
}

export interface BookCard {
  id: number;
  subid: string;
  title: string;
  author: string;
  authorSlug: string;
  image: string;
  description: string;
  categories: CategoryRef[];
  tags: string[];
  free: boolean;
  comingSoon: boolean;
  isPopular: boolean;
  uploadDate: number;
  hasMedia: boolean;
  hasVideo: boolean;
  mediaUrl: string | null;
  readCount: number;
  minutes: number;
  rating: number | null;
  ratingsCount: number;
  match: SearchMatch | null;
}

export interface HistoryEntry extends BookCard {
  position: number;
  completed: boolean;
  at: number;
  sectionsTotal: number;
}

export interface SectionRef {
  title: string;
  /** From 0. */
  place: number;
}

export interface Book extends BookCard {
  authorDesc: string;
  quotes: { text: string; chapter: string }[];
  goals: { id: number; title: string }[];
  body: string | null;
  truncatedBody: string | null;
  sections: SectionRef[];
  video: string | null;
  position: number;
  completed: boolean;
  isInLibrary: boolean;
  isPaidUser: boolean;
  notLoggedIn: boolean;
  limitReached: boolean;
  lastFree: boolean;
  showPremiumContent: boolean;
  hasRatingsFromUser: boolean;
  allowance: { left: number; total: number } | null;
}

export interface Progress {
  isPaid: boolean;
  numCompleted: number;
  xp: number;
  streaks: { currentStreak: number; bestStreak: number };
  skillsNumCompleted: Record<string, number>;
  skills: { category: CategoryRef; count: number; target: number }[];
  awards: { name: string; xp: number; achieved: boolean }[];
  level: number;
  levelXp: { from: number; to: number | null };
}

export interface SignedIn {
  token: string;
  user: User;
}

export interface BooksQuery {
  q?: string;
  sort?: 'new' | 'newest' | 'trending' | 'ab' | 'audio' | 'video';
  category?: string;
  collection?: string;
  author?: string;
  tag?: string;
  audio?: boolean;
  video?: boolean;
  after?: string;
  limit?: number;
}

export interface BooksResult {
  user: User | null;
  books: BookCard[];
  categories: Category[];
  recommendations: BookCard[];
  next: string | null;
  total: number | null;
}

export interface FrontResult {
  hero: Book;
  popular: BookCard[];
  newest: BookCard[];
  categories: Category[];
  bookCount: number;
}

export interface HistoryPosition {
  bookId: number;
  position: number;
  completed: boolean;
  at: number;
}

/** What each call takes and answers (its `result`), under 'METHOD path'. */
export interface Calls {
  'POST /api/user/register': {
    body: { username: string; password: string; firstName: string; lastName: string; timezone?: string; chargeId?: string };
    result: SignedIn;
  };
  'POST /api/user/login': { body: { username: string; password: string }; result: SignedIn };
  'POST /api/user/logout': { result: unknown };
  'POST /api/user/refresh-token': { result: SignedIn };
  'GET /api/user/session': { result: SignedIn };
  'GET /api/user/account': { result: { user: User } };
  'PUT /api/user/recommends': { body: { recommends: number[] }; result: { user: User } };
  'GET /api/categories': { result: { categories: Category[] } };
  'GET /api/front': { result: FrontResult };
  'GET /api/books': { query: BooksQuery; result: BooksResult };
  'GET /api/books/{id}': { path: { id: string }; result: { user: User | null; book: Book } };
  'PUT /api/books/rating/{id}': {
    path: { id: string };
    body: { rating: number; feedback?: string; subid?: string; bookId?: number | string };
    result: { rating: { rating: number; feedback: string | null } };
  };
  'POST /api/library': { body: { bookId: number | string }; result: { isInLibrary: boolean } };
  'DELETE /api/library/{id}': { path: { id: string }; result: { isInLibrary: boolean } };
  'GET /api/library': { query: { after?: string; limit?: number }; result: { user: User; books: BookCard[]; next: string | null } };
  'PUT /api/user-book-history/': {
    body: { bookId: number | string; position: number; completed?: boolean };
    result: { entry: HistoryPosition; progress: Progress | null };
  };
  'POST /api/user-book-history/{id}': { path: { id: string }; result: { entry: HistoryPosition } };
  'GET /api/user-book-history': {
    query: { after?: string; limit?: number };
    result: { user: User; books: HistoryEntry[]; next: string | null };
  };
  'GET /api/user-book-history/xp': { result: Progress };
  'POST /api/events': { body: { name: 'start_for_free' | 'categories_chosen' }; result: unknown };
}
