import type { Category, User } from '@/api/types';

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
  ...more,
});

export const sampleCategories = (): Category[] => [
  { id: 1, subid: 'philosophy', name: 'Philosophy', hue: 265, small_image: '/media/philosophy.svg', bookCount: 3 },
  { id: 2, subid: 'science', name: 'Science', hue: 195, small_image: '/media/science.svg', bookCount: 2 },
];
