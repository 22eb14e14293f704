// Every address of the site, in one place. Functions for those with a part that varies.
import type { BookCard } from '@/api/types';

export const paths = {
  front: '/',
  signup: '/signup',
  login: '/login',
  logout: '/logout',
  forgotPassword: '/forgot-password',
  loginLink: '/login-link',
  confirmEmail: '/confirm-email',
  home: '/home',
  books: '/books',
  newestBooks: '/books/?sort=newest',
  booksOf: (category: string) => `/books/?category=${encodeURIComponent(category)}`,
  book: (id: string | number) => `/books/${encodeURIComponent(id)}`,
  /** A search result: at the section it was found in, when a passage says that the viewer may read there. */
  bookFound: ({ subid, match }: Pick<BookCard, 'subid' | 'match'>) => {
    const at = match?.passage && match.section ? `?section=${match.section.place + 1}` : '';
    return `/books/${encodeURIComponent(subid)}${at}`;
  },
  bookDetail: (id: string | number) => `/book-detail/${encodeURIComponent(id)}`,
  video: (id: string | number) => `/video/${encodeURIComponent(id)}`,
  booklist: (sort: string, tag: string) => `/booklist/${encodeURIComponent(sort)}/${encodeURIComponent(tag)}`,
  category: (subid: string) => `/category/${encodeURIComponent(subid)}`,
  collections: '/collections',
  collection: (id: number | string) => `/collections/${encodeURIComponent(id)}`,
  search: (q: string) => `/books?q=${encodeURIComponent(q)}`,
  author: (slug: string) => `/authors/${encodeURIComponent(slug)}`,
  chooseCategories: (type: 'new' | 'edit') => `/choose-categories/${type}`,
  library: '/library',
  shelf: (shelf: 'reading' | 'finished' | 'saved') => `/library?shelf=${shelf}`,
  history: '/library?view=history',
  myProgress: '/my-progress',
  setKindle: '/set-kindle',
  sendToKindle: '/send-to-kindle',
  sendToKindleBook: (id: string | number) => `/send-to-kindle/${encodeURIComponent(id)}`,
  downloadPdf: (id: string | number, title: string) => `/download-pdf/${encodeURIComponent(id)}/${encodeURIComponent(title)}`,
  downloadPdfOr: (id: string | number, title: string) => `/download-pdf-or/${encodeURIComponent(id)}/${encodeURIComponent(title)}`,
  payment: (plan: string) => `/payment/${encodeURIComponent(plan)}`,
  account: '/account',
  timeZone: '/account#time-zone',
  accountDelete: '/account/delete',
  accountArchive: '/account/archive',
  infographics: '/infographics',
  visuals: '/visuals',
  visualsOf: (id: string | number) => `/visuals/${encodeURIComponent(id)}`,
  teams: '/teams',
  blog: '/blog',
  whatsNew: '/blog/whats-new',
  post: (slug: string) => `/blog/${encodeURIComponent(slug)}`,
  podcasts: '/podcasts',
  podcast: (slug: string) => `/podcasts/${encodeURIComponent(slug)}`,
  podcastFeed: '/podcasts/feed.xml',
  try: '/try',
  pricing: '/pricing',
  contact: '/contact',
  suggest: '/suggest',
  feedback: '/feedback-form',
  referAFriend: '/refer-a-friend',
  tenDayChallenge: '/ten-day-challenge',
  about: '/about',
  ai: '/ai',
  gift: '/payment/gift',
  quiz: '/quiz',
  authors: '/authors',
  affiliate: '/refer',
  terms: '/terms',
  privacy: '/privacy',
  admin: '/admin',
  adminMessages: '/admin/messages',
  adminMails: '/admin/mails',
} as const;

/** The login page that returns to `target` afterwards. */
export const loginFor = (target: string) => `${paths.login}?redirect=${encodeURIComponent(target)}`;

/** The login page for somebody who is signed in already, but has to show anew who they are. */
export const loginAgainFor = (target: string) => `${loginFor(target)}&again=1`;

/** The sign-up page that returns to `target` afterwards. */
export const signupFor = (target: string) => `${paths.signup}?redirect=${encodeURIComponent(target)}`;

/** The page that leads on to `goback`, another site's page that may be trusted, and remembers `target` (decisions.md 17). */
export const gobackFor = (goback: string, target: string | null) => `/goback?${new URLSearchParams({ goback, ...(target && { redirect: target }) }).toString()}`;
