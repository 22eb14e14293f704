// The areas of the back office, grouped as in its navigation. This only decides what is shown to whom; the server authorizes each
// call.
import type { ResultOf, User } from '@/api/types';
import { ROUTES, paths } from '@/features/admin/paths';

type Overview = ResultOf<'GET /api/admin/overview'>;

interface Area {
  label: string;
  to: string;
  /** The number of items that need attention. */
  count?: (overview: Overview) => number;
  what?: string;
  /** The page that adds an item. */
  add?: { label: string; to: string };
}

interface Group {
  title: string;
  /** The lowest role that sees it. */
  role: 'editor' | 'admin';
  areas: readonly Area[];
}

export const GROUPS: readonly Group[] = [
  {
    title: 'Content',
    role: 'editor',
    areas: [
      { label: ROUTES.adminBooks.title, to: paths.adminBooks, add: { label: ROUTES.adminBookAdd.title, to: paths.adminBookAdd } },
      { label: ROUTES.adminAuthors.title, to: paths.adminAuthors, add: { label: ROUTES.adminAuthorAdd.title, to: paths.adminAuthorAdd } },
      { label: ROUTES.adminTags.title, to: paths.adminTags },
      { label: ROUTES.adminCategories.title, to: paths.adminCategories, add: { label: ROUTES.adminCategoryAdd.title, to: paths.adminCategoryAdd } },
      { label: ROUTES.adminGoals.title, to: paths.adminGoals, add: { label: ROUTES.adminGoalAdd.title, to: paths.adminGoalAdd } },
      { label: ROUTES.adminCollections.title, to: paths.adminCollections, add: { label: ROUTES.adminCollectionAdd.title, to: paths.adminCollectionAdd } },
      { label: ROUTES.adminVisuals.title, to: paths.adminVisuals, add: { label: ROUTES.adminVisualAdd.title, to: paths.adminVisualAdd } },
      { label: ROUTES.adminIdeaLinks.title, to: paths.adminIdeaLinks, add: { label: ROUTES.adminIdeaLinkAdd.title, to: paths.adminIdeaLinkAdd } },
      { label: ROUTES.adminPodcasts.title, to: paths.adminPodcasts, add: { label: ROUTES.adminPodcastAdd.title, to: paths.adminPodcastAdd } },
      { label: ROUTES.adminPosts.title, to: paths.adminPosts, add: { label: ROUTES.adminPostAdd.title, to: paths.adminPostAdd } },
      { label: ROUTES.adminInsights.title, to: paths.adminInsights, add: { label: ROUTES.adminInsightAdd.title, to: paths.adminInsightAdd } },
      { label: ROUTES.adminPages.title, to: paths.adminPages },
      { label: ROUTES.adminBanner.title, to: paths.adminBanner },
      { label: ROUTES.adminQuiz.title, to: paths.adminQuiz },
    ],
  },
  {
    title: 'People',
    role: 'admin',
    areas: [
      { label: ROUTES.adminUsers.title, to: paths.adminUsers, add: { label: ROUTES.adminUserAdd.title, to: paths.adminUserAdd } },
      { label: ROUTES.adminMessages.title, to: paths.adminMessages, count: ({ unread }) => unread, what: 'to answer' },
      { label: ROUTES.adminReasons.title, to: paths.adminReasons },
      { label: ROUTES.adminLists.title, to: paths.adminLists },
    ],
  },
  {
    title: 'Money',
    role: 'admin',
    areas: [
      { label: ROUTES.adminStats.title, to: paths.adminStats },
      { label: ROUTES.adminOrders.title, to: paths.adminOrders },
      { label: ROUTES.adminRenewals.title, to: paths.adminRenewals },
      { label: ROUTES.adminDisputes.title, to: paths.adminDisputes },
      { label: ROUTES.adminCoupons.title, to: paths.adminCoupons, add: { label: ROUTES.adminCouponAdd.title, to: paths.adminCouponAdd } },
      { label: ROUTES.adminCodes.title, to: paths.adminCodes, add: { label: ROUTES.adminCodeAdd.title, to: paths.adminCodeAdd } },
      { label: ROUTES.adminPayouts.title, to: paths.adminPayouts },
      { label: ROUTES.adminTeams.title, to: paths.adminTeams },
      { label: ROUTES.adminPlans.title, to: paths.adminPlans, add: { label: ROUTES.adminPlanAdd.title, to: paths.adminPlanAdd } },
      { label: ROUTES.adminLedger.title, to: paths.adminLedger },
    ],
  },
  {
    title: 'Site',
    role: 'admin',
    areas: [
      { label: ROUTES.adminMails.title, to: paths.adminMails, count: ({ mails }) => mails.setAside, what: 'failed' },
      { label: ROUTES.adminJobs.title, to: paths.adminJobs },
      { label: ROUTES.adminAudit.title, to: paths.adminAudit },
      { label: ROUTES.adminSystem.title, to: paths.adminSystem },
    ],
  },
];

/** The common prefix of an area's pages: '/admin/books-list' and '/admin/book-edit/7' share '/admin/book'. */
const stemOf = (to: string): string => to.replace(/(?:ies|s)?(?:-list)?$/, '');

/** Whether a page belongs to an area: its list, or a page to add, edit or upload. */
export const isWithin = (pathname: string, { to }: Pick<Area, 'to'>): boolean => pathname.startsWith(stemOf(to));

/** The groups that a role sees. */
export const groupsFor = (role: User['role']): readonly Group[] =>
  GROUPS.filter((group) => group.areas.length > 0 && (role === 'admin' || (role === 'editor' && group.role === 'editor')));

/** Whether a role has access to the back office. */
export const isStaff = (role: User['role']): boolean => role !== 'member';
