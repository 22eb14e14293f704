// Every route of the site with its title, in one table, and the functions that build paths from it. The router, the header,
// the footer and the pages' titles read this table; a test compares it with the router's and the server's. The back office
// has a table of its own, `features/admin/paths.ts`, which members don't load.
import type { BookCard } from '@/api/types';

export interface Route {
  /** In the router's syntax: `:name` is a parameter, `?` after it makes it optional. */
  path: string;
  /** The document's title, before the site's name. Null: the page is titled by its content. */
  title: string | null;
}

// One route a line: the server's test reads this table as text.
export const ROUTES = {
  front: { path: '/', title: '' },
  setup: { path: '/setup', title: 'Set up' },
  signup: { path: '/signup', title: 'Sign up' },
  login: { path: '/login', title: 'Login' },
  goback: { path: '/goback', title: 'One moment' },
  loginLink: { path: '/login-link', title: 'Login' },
  forgotPassword: { path: '/forgot-password', title: 'Forgot password' },
  resetPassword: { path: '/reset-password/:email/:code', title: 'Reset Password' },
  confirmEmail: { path: '/confirm-email', title: 'Confirm your address' },
  logout: { path: '/logout', title: 'Logout' },
  home: { path: '/home', title: 'My Home' },
  recommendations: { path: '/recommendations', title: 'Books Recommended For You' },
  chooseCategories: { path: '/choose-categories/:type', title: 'Set Preferences' },
  books: { path: '/books', title: 'Book Summaries' },
  booklist: { path: '/booklist/:sort/:tag', title: null },
  category: { path: '/category/:category', title: null },
  collections: { path: '/collections', title: 'Collections' },
  collection: { path: '/collections/:id', title: null },
  ideas: { path: '/ideas', title: 'Idea map' },
  ideasOfTopic: { path: '/ideas/:category', title: null },
  authors: { path: '/authors', title: 'Book Authors' },
  author: { path: '/authors/:slug', title: null },
  book: { path: '/books/:id', title: null },
  bookDetail: { path: '/book-detail/:id', title: null },
  video: { path: '/video/:id', title: null },
  visuals: { path: '/visuals', title: 'Visual Book Summaries' },
  visualsOf: { path: '/visuals/:id', title: null },
  infographics: { path: '/infographics', title: 'Infographics' },
  library: { path: '/library', title: 'Your Library' },
  lists: { path: '/lists', title: 'Lists' },
  list: { path: '/lists/:id', title: null },
  myProgress: { path: '/my-progress', title: 'My Progress' },
  year: { path: '/my-progress/:year', title: 'Your year in reading' },
  session: { path: '/session', title: 'Session' },
  sharedList: { path: '/list/:slug', title: null },
  teamList: { path: '/lists/team/:id', title: null },
  highlights: { path: '/highlights', title: 'Highlights' },
  review: { path: '/review', title: 'Review' },
  reviewCards: { path: '/review/cards', title: 'Review cards' },
  studySettings: { path: '/study-settings', title: 'Highlight settings' },
  setKindle: { path: '/set-kindle', title: 'Send to Kindle' },
  sendToKindle: { path: '/send-to-kindle/:bookId?', title: 'Send to Kindle' },
  downloadPdf: { path: '/download-pdf/:id/:title', title: 'Download PDF' },
  downloadPdfOr: { path: '/download-pdf-or/:id/:title', title: 'Download PDF' },
  account: { path: '/account', title: 'Account' },
  accountDelete: { path: '/account/delete', title: 'Delete Account' },
  accountArchive: { path: '/account/archive', title: 'Your archive' },
  accountImport: { path: '/account/import', title: 'Import an archive' },
  apiTokens: { path: '/api-tokens', title: 'API tokens' },
  blog: { path: '/blog', title: 'Blog' },
  whatsNew: { path: '/blog/whats-new', title: "What's New" },
  post: { path: '/blog/:slug', title: null },
  podcasts: { path: '/podcasts', title: 'Podcasts' },
  podcast: { path: '/podcasts/:slug', title: null },
  about: { path: '/about', title: null },
  terms: { path: '/terms', title: null },
  privacy: { path: '/privacy', title: null },
  try: { path: '/try', title: null },
  pricing: { path: '/pricing', title: null },
  teams: { path: '/teams', title: null },
  giftcard: { path: '/giftcard', title: null },
  refer: { path: '/refer', title: null },
  affiliate: { path: '/affiliate', title: null },
  contact: { path: '/contact', title: 'Contact Us' },
  suggest: { path: '/suggest', title: 'Suggest a Book' },
  feedback: { path: '/feedback-form', title: 'Feedback' },
  referAFriend: { path: '/refer-a-friend', title: 'Refer a Friend' },
  referral: { path: '/r/:id', title: 'One moment' },
  admin: { path: '/admin', title: 'Back office' },
  payment: { path: '/payment/:planId?', title: 'Checkout' },
  stackSocial: { path: '/stacksocial', title: 'Redeem a code' },
  subscriptionCode: { path: '/subscriptioncode', title: 'Redeem a code' },
  subscriptionCodeOf: { path: '/subscriptioncode/:code', title: 'Redeem a code' },
  cancel: { path: '/cancel', title: 'Cancel subscription' },
  invite: { path: '/invite', title: 'Affiliate Program' },
  tenDayChallenge: { path: '/ten-day-challenge', title: 'Ten Day Challenge' },
  unsubscribe: { path: '/unsubscribe/:token', title: 'Stop these emails' },
  getStarted: { path: '/get-started', title: 'Get Started' },
  secret: { path: '/secret', title: 'Get Started' },
  quiz: { path: '/quiz', title: 'Intelligence Quiz' },
  quizResults: { path: '/quiz-results', title: 'Intelligence Quiz' },
  personalityQuiz: { path: '/personality-quiz', title: 'Personality Quiz' },
  personalityQuizResults: { path: '/personality-quiz-results', title: 'Personality Quiz' },
  ai: { path: '/ai', title: 'AI Summarizer' },
  aiSummary: { path: '/ai/:id', title: null },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** The values of a path's parameters, in their order. */
type Values<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${string}?`
    ? [value?: string | number]
    : [value: string | number, ...Values<Rest>]
  : [];

type Paths<Table extends Record<string, Route>> = {
  [Name in keyof Table]: Values<Table[Name]['path']> extends [] ? Table[Name]['path'] : (...values: Values<Table[Name]['path']>) => string;
};

const fill = (path: string, values: readonly (string | number)[]) =>
  path.replace(/\/:\w+\??/g, () => {
    const [value, ...rest] = values;
    values = rest;
    return value === undefined ? '' : `/${encodeURIComponent(value)}`;
  });

/** The path of each route of a table, a function where it has parameters. */
export const pathsOf = <Table extends Record<string, Route>>(routes: Table) =>
  Object.fromEntries(
    Object.entries(routes).map(([name, { path }]) => [name, path.includes(':') ? (...values: (string | number)[]) => fill(path, values) : path]),
  ) as Paths<Table>;

const routePaths = pathsOf(ROUTES);

/** The path of each route, a function where it has parameters; and paths with a query. */
export const paths = {
  ...routePaths,
  newestBooks: '/books/?sort=newest',
  booksOf: (category: string) => `/books/?category=${encodeURIComponent(category)}`,
  /** A search result: at the section it was found in, when a passage says that the viewer may read there. */
  bookFound: ({ subid, match }: Pick<BookCard, 'subid' | 'match'>) =>
    routePaths.book(subid) + (match?.passage && match.section ? `?section=${match.section.place + 1}` : ''),
  /** At a key idea, from 0. */
  bookAt: (subid: string, section: number) => `${routePaths.book(subid)}?section=${section + 1}`,
  search: (q: string) => `/books?q=${encodeURIComponent(q)}`,
  /** A session of so many minutes; without a topic it is about what the member reads. */
  sessionOf: (minutes: number, topic = '') => `${routePaths.session}?${new URLSearchParams({ minutes: String(minutes), ...(topic && { topic }) }).toString()}`,
  shelf: (shelf: 'reading' | 'finished' | 'saved') => `/library?shelf=${shelf}`,
  history: '/library?view=history',
  onThisDevice: '/library?view=device',
  /** The summariser with a link filled in. */
  aiOf: (url: string) => `${routePaths.ai}?url=${encodeURIComponent(url)}`,
  ownSummaries: `${routePaths.ai}#summaries`,
  suggestBook: '/contact?kind=suggest',
  /** The same form, begun with a book's title. */
  suggestTitle: (title: string) => `/contact?kind=suggest&book=${encodeURIComponent(title)}`,
  gift: routePaths.payment('gift'),
  pdfOf: (subid: string) => routePaths.payment(`book-${subid}`),
  seats: (quantity: number) => `${routePaths.payment('bulk')}?quantity=${quantity}`,
  timeZone: '/account#time-zone',
  dailyMail: '/ten-day-challenge#daily-mail',
  subscription: '/account#subscription',
  /** The account's sign-in methods, with the second factor. */
  signInMethods: '/account#sign-in',
  /** Redeems a code as a member; it stands in the form already. */
  redeem: (code: string) => routePaths.stackSocial + (code ? `?code=${encodeURIComponent(code)}` : ''),
  podcastFeed: '/podcasts/feed.xml',
} as const;

/** A page that leads back to `target` when it is done; null: it leads where it always does. */
export const withRedirect = (path: string, target: string | null): string =>
  target === null ? path : `${path}${path.includes('?') ? '&' : '?'}redirect=${encodeURIComponent(target)}`;

/** The plans; a purchase there leads back to `target`. */
export const plansFor = (target: string) => withRedirect(paths.try, target);

/** The login page that returns to `target` afterwards. */
export const loginFor = (target: string) => withRedirect(paths.login, target);

/** The sign-up page that returns to `target` afterwards. */
export const signupFor = (target: string) => withRedirect(paths.signup, target);

/** The sign-up page that leads on to the checkout with the free trial; a purchase there leads back to `target` (identity.free-trial). */
export const trialFor = (target: string) => `${signupFor(target)}&free-trial=true`;

/** The login page for a member who is signed in and has to authenticate again. */
export const loginAgainFor = (target: string) => `${loginFor(target)}&again=1`;

/** The page that leads on to `goback`, a page of another site that is trusted, and remembers `target` (identity.goback-target). */
export const gobackFor = (goback: string, target: string | null) =>
  `${paths.goback}?${new URLSearchParams({ goback, ...(target && { redirect: target }) }).toString()}`;
