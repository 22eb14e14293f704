import type { BookCard, BooksResult, Category, User } from '@/api/types';

export const sampleUser = (more: Partial<User> = {}): User => ({
  id: 7,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Reader',
  timezone: 'UTC',
  role: 'member',
  planId: null,
  planName: null,
  paidDate: null,
  endPaidDate: null,
  recommends: [],
  friendEmail: null,
  isPaid: false,
  emailConfirmed: true,
  hasPassword: true,
  ...more,
});

export const sampleCategories = (): Category[] => [
  { id: 1, subid: 'philosophy', name: 'Philosophy', hue: 265, small_image: '/media/philosophy.svg', bookCount: 3 },
  { id: 2, subid: 'science', name: 'Science', hue: 195, small_image: '/media/science.svg', bookCount: 2 },
];

export const sampleBook = (id: number, more: Partial<BookCard> = {}): BookCard => ({
  id,
  subid: `book-${id}`,
  title: `Book ${id}`,
  author: 'Ada Writer',
  authorSlug: 'ada-writer',
  image: `/media/book-${id}.svg`,
  artwork: `/media/book-${id}.512.png`,
  description: 'A book.',
  categories: [{ id: 1, subid: 'philosophy', name: 'Philosophy', hue: 265 }],
  tags: [],
  free: false,
  comingSoon: false,
  isPopular: false,
  uploadDate: 0,
  hasMedia: false,
  hasVideo: false,
  hasVisuals: false,
  mediaUrl: null,
  readCount: 0,
  minutes: 12,
  rating: null,
  ratingsCount: 0,
  match: null,
  ...more,
});

export const sampleList = (books: BookCard[], more: Partial<BooksResult> = {}): BooksResult => ({
  user: null,
  books,
  categories: sampleCategories(),
  recommendations: [],
  next: null,
  total: books.length,
  didYouMean: null,
  ...more,
});
