// Responses of the back office's calls, for the tests of its screens.
import type { ResultOf } from '@/api/types';
import { session } from '@/api/session';
import { freePlan } from './membership';
import { sampleUser } from './samples';
import { on, server } from './server';

/** Signs in with a role; the overview has nothing that waits. */
export function signInAs(role: 'member' | 'editor' | 'admin'): void {
  session.start('token');
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ role }) })),
    on('GET /api/admin/overview', () => ({ unread: 0, mails: { queued: 0, setAside: 0 } })),
    on('GET /api/admin/content-overview', () => sampleOverview()),
  );
}

type ContentOverview = ResultOf<'GET /api/admin/content-overview'>;

/** An overview without anything to see to. */
export const sampleOverview = (more: Partial<ContentOverview> = {}): ContentOverview => ({
  drafts: { count: 0, countCapped: false, newest: [], oldest: [] },
  scheduled: { count: 0, countCapped: false, books: [] },
  incomplete: (['cover', 'audio', 'key_ideas'] as const).map((lacking) => ({ lacking, count: 0, countCapped: false, books: [] })),
  searches: [],
  searchDays: 30,
  dropOffs: [],
  dropOffDays: 90,
  ...more,
});

type System = ResultOf<'GET /api/admin/system'>;

const CHECKED_AT = Date.UTC(2026, 10, 27, 12);

export const sampleNode = (more: Partial<System['nodes'][number]> = {}): System['nodes'][number] => ({
  id: 'one-1',
  name: 'one',
  kind: 'serve',
  release: '0.2.0',
  commit: '1f2e3d4',
  startedAt: CHECKED_AT - 3 * 3_600_000,
  seenAt: CHECKED_AT,
  isThis: true,
  clockOffsetMs: 0,
  maxConnections: 26,
  disk: { freeBytes: 41e9, totalBytes: 80e9 },
  problem: null,
  ...more,
});

/** The state of an instance that is well, at noon of November 27, 2026. */
export const sampleSystem = (more: Partial<System> = {}): System => ({
  checkedAt: CHECKED_AT,
  release: '0.2.0',
  commit: '1f2e3d4',
  schema: '2026-11-27-000023',
  database: { version: '17.6', bytes: 812_400_000, connections: 12, maxConnections: 97 },
  nodes: [sampleNode()],
  queue: [],
  mail: { transport: 'smtp', server: 'smtp.example.com', queued: 0, setAside: 0, lastSentAt: CHECKED_AT - 60_000 },
  files: { store: 'folder', problem: null },
  backup: { lastAt: CHECKED_AT - 9 * 3_600_000, bytes: 3_200_000_000, isVerified: true },
  certificate: { host: 'quire.example', expiresAt: CHECKED_AT + 79 * 86_400_000, problem: null },
  webhooks: [],
  problems: [],
  ...more,
});

export type SampleMember = ResultOf<'GET /api/admin/user/edit/{userId}'>['user'][number];
type Row = ResultOf<'GET /api/admin/user/{start}'>['users'][number];

export const sampleRow = (id: number, more: Partial<Row> = {}): Row => ({
  id,
  firstName: 'Grace',
  lastName: `No ${id}`,
  email: `grace-${id}@example.com`,
  planId: null,
  planName: null,
  paymentMethod: null,
  paidDate: null,
  endPaidDate: null,
  createDate: Date.UTC(2026, 2, 14),
  role: 'member',
  confirmed: true,
  suspendedAt: null,
  lastSeenAt: null,
  ...more,
});

export const sampleMember = (more: Partial<SampleMember> = {}): SampleMember => ({
  ...sampleRow(7),
  timezone: 'UTC',
  suspendedReason: null,
  plan: freePlan(),
  sessions: [{ id: 31, device: 'Firefox on Linux', place: 'Lyon', createdAt: 0, lastSeenAt: 0 }],
  factors: { totp: true, recoveryCodes: 8, passkeys: 1 },
  providers: ['google'],
  hasPassword: true,
  paid: { total: 5999, refunded: 0 },
  timeline: [],
  reading: { opened: 12, completed: 4, library: 3, ratings: 2 },
  plans: [
    { id: 'yearly', name: 'Yearly' },
    { id: 'lifetime', name: 'Lifetime' },
  ],
  ...more,
});

type BookRow = ResultOf<'GET /api/admin/books'>['books'][number];
export type SampleBook = ResultOf<'GET /api/admin/books/{bookId}'>['book'];

export const sampleBookRow = (id: number, more: Partial<BookRow> = {}): BookRow => ({
  id,
  subid: `book-${id}`,
  title: `Book ${id}`,
  author: 'Ada Writer',
  image: null,
  free: false,
  isPopular: false,
  comingSoon: false,
  published: true,
  publishAt: null,
  uploadDate: 0,
  updatedAt: 0,
  updatedBy: 'Grace Editor',
  version: 3,
  categories: [1],
  hasBody: true,
  hasAudio: true,
  hasVideo: false,
  hasPodcast: false,
  hasInfographic: false,
  hasKeyIdeas: true,
  ...more,
});

export const sampleBookDetail = (more: Partial<SampleBook> = {}): SampleBook => ({
  id: 4,
  subid: 'emma',
  title: 'Emma',
  image: '/media/emma.svg',
  vector: null,
  infographicUrl: null,
  podcastUrl: null,
  video: null,
  mediaUrl: null,
  author: 'Jane Austen',
  authorDesc: '',
  description: 'Handsome, clever, and rich.',
  body: '<h3>One</h3><p>The first section.</p>',
  quotes: [{ text: 'I may have lost my heart.', chapter: 'Two' }],
  categories: [1],
  goals: [],
  tags: ['calm'],
  free: false,
  isPopular: false,
  comingSoon: false,
  published: true,
  publishAt: null,
  year: 1815,
  uploadDate: 0,
  updatedAt: 0,
  updatedBy: null,
  version: 3,
  sections: ['One'],
  words: 4,
  ...more,
});

const version = { version: 3, updatedAt: 0, updatedBy: 'Grace Editor' };

type Goal = ResultOf<'GET /api/admin/goals'>['goals'][number];
export const sampleGoal = (id: number, more: Partial<Goal> = {}): Goal => ({
  ...version,
  id,
  slug: `goal-${id}`,
  title: `Goal ${id}`,
  shortTitle: `G${id}`,
  mobileTitle: `M${id}`,
  desc: '',
  photo: null,
  photov2: null,
  place: id,
  ...more,
});

type Visual = ResultOf<'GET /api/admin/visuals'>['visuals'][number];
export const sampleVisual = (id: number, more: Partial<Visual> = {}): Visual => ({
  ...version,
  id,
  bookId: 4,
  bookSubid: 'emma',
  bookTitle: 'Emma',
  title: `Visual ${id}`,
  body: 'An idea.',
  image: null,
  ...more,
});

type AdminCategory = ResultOf<'GET /api/admin/categories'>['categories'][number];
export const sampleAdminCategory = (id: number, more: Partial<AdminCategory> = {}): AdminCategory => ({
  ...version,
  id,
  subid: `category-${id}`,
  name: `Category ${id}`,
  hue: 30,
  small_image: null,
  place: id,
  bookCount: 2,
  ...more,
});

type AdminCollection = ResultOf<'GET /api/admin/collections/list'>['results'][number];
export const sampleAdminCollection = (id: number, more: Partial<AdminCollection> = {}): AdminCollection => ({
  ...version,
  id,
  title: `Collection ${id}`,
  subtitle: '',
  image: null,
  uploadDate: Date.UTC(2026, 2, id),
  categories: '1,2',
  books: [],
  ...more,
});

type AdminPodcast = ResultOf<'GET /api/admin/podcasts'>['podcasts'][number];
export const sampleAdminPodcast = (id: number, more: Partial<AdminPodcast> = {}): AdminPodcast => ({
  ...version,
  id,
  slug: `podcast-${id}`,
  title: `Podcast ${id}`,
  image: null,
  author: 'Ada Speaker',
  authorDesc: '',
  description: '',
  script: '<p>Good evening.</p>',
  mins: 12,
  mediaUrl: null,
  publishedAt: Date.UTC(2026, 2, id),
  published: true,
  publishAt: null,
  ...more,
});

type AdminPost = ResultOf<'GET /api/admin/blog'>['posts'][number];
export const sampleAdminPost = (id: number, more: Partial<AdminPost> = {}): AdminPost => ({
  ...version,
  id,
  slug: `post-${id}`,
  title: `Post ${id}`,
  description: 'About it.',
  photo: null,
  categories: ['Reading'],
  text: '<p>A text.</p>',
  author: 'The editors',
  book: null,
  createDate: Date.UTC(2026, 2, id),
  published: true,
  publishAt: null,
  ...more,
});

type AdminInsight = ResultOf<'GET /api/admin/insight/{id}'>['insight'];
export const sampleAdminInsight = (id: number, more: Partial<AdminInsight> = {}): AdminInsight => ({
  ...version,
  id,
  title: `Insight ${id}`,
  createDate: Date.UTC(2026, 2, id),
  insight: 'Simplify.',
  bookId: 'walden',
  quoted: true,
  ...more,
});

type AdminAuthor = ResultOf<'GET /api/admin/authors'>['authors'][number];
export const sampleAdminAuthor = (id: number, more: Partial<AdminAuthor> = {}): AdminAuthor => ({
  ...version,
  id,
  slug: `author-${id}`,
  name: `Author ${id}`,
  sortName: null,
  description: '',
  bookCount: 2,
  readableCount: 1,
  ...more,
});

type AdminTag = ResultOf<'GET /api/admin/tags'>['tags'][number];
export const sampleAdminTag = (id: number, more: Partial<AdminTag> = {}): AdminTag => ({
  ...version,
  id,
  slug: `tag-${id}`,
  name: `tag ${id}`,
  bookCount: 2,
  ...more,
});
