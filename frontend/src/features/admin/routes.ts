// The routes of the back office and their chunks, separate from the site's: members load none of this.
//
// A chunk's name, `route-<name>`, is its key in dist/manifest.json. To add a page: a module that exports `Component` (and
// `loader`), a route here, its path and title in `paths.ts`, its line in the server's list (crates/pages/src/screens.rs).
import type { RouteObject } from 'react-router';
import { ROUTES } from '@/features/admin/paths';
import type { RouteName } from '@/features/admin/paths';

type Screen = NonNullable<RouteObject['lazy']>;

/** A page for editors and admins. */
const staff = (name: RouteName, lazy: Screen): RouteObject => ({ path: ROUTES[name].path, lazy });
/** A page for admins only: the layout shows editors the access page instead. */
const admins = (name: RouteName, lazy: Screen): RouteObject => ({ ...staff(name, lazy), handle: { admin: true } });

const bookFile: Screen = () => import(/* webpackChunkName: "route-admin-books" */ '@/features/admin/books/BookFilePage');

const revisions: Screen = () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/TextRevisionsPage');

/** The back office. Its layout shows the access page to all but editors and admins. */
export const adminRoutes: RouteObject = {
  id: 'admin',
  path: ROUTES.admin.path,
  // Without the site's header and footer: the layout has its own (site.page-frame).
  handle: { office: true },
  lazy: () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/AdminLayout'),
  children: [
    { index: true, lazy: () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/OverviewPage') },
    admins('adminMessages', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/MessagesPage')),
    admins('adminReasons', () => import(/* webpackChunkName: "route-admin-stats" */ '@/features/admin/pages/ReasonsPage')),
    admins('adminLists', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/lists/ListsPage')),
    admins('adminMails', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/MailsPage')),
    admins('adminJobs', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/JobsPage')),
    admins('adminAudit', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/log/AuditPage')),
    admins('adminSystem', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/system/SystemPage')),
    admins('adminUsers', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/users/UsersPage')),
    admins('adminUserAdd', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/users/UserAddPage')),
    admins('adminUser', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/users/UserRedirect')),
    admins('adminUserEdit', () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/users/UserEditPage')),
    staff('adminBooks', () => import(/* webpackChunkName: "route-admin-books" */ '@/features/admin/books/BooksPage')),
    staff('adminBookAdd', () => import(/* webpackChunkName: "route-admin-books" */ '@/features/admin/books/BookAddPage')),
    staff('adminBookEdit', () => import(/* webpackChunkName: "route-admin-books" */ '@/features/admin/books/BookEditPage')),
    staff('adminBookRevisions', () => import(/* webpackChunkName: "route-admin-books" */ '@/features/admin/books/RevisionsPage')),
    staff('adminBookPhoto', bookFile),
    staff('adminBookVector', bookFile),
    staff('adminBookInfographic', bookFile),
    staff('adminBookMedia', bookFile),
    staff('adminBookPodcast', bookFile),
    staff('adminBookVideo', bookFile),
    admins('adminStats', () => import(/* webpackChunkName: "route-admin-stats" */ '@/features/admin/stats/StatsPage')),
    admins('adminOrders', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/OrdersPage')),
    admins('adminOrder', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/OrderPage')),
    admins('adminRenewals', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/RenewalsPage')),
    admins('adminDisputes', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/DisputesPage')),
    admins('adminCoupons', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/CouponsPage')),
    admins('adminCouponAdd', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/CouponAddPage')),
    admins('adminCouponEdit', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/CouponEditPage')),
    admins('adminCodes', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/CodesPage')),
    admins('adminCodeAdd', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/CodeAddPage')),
    admins('adminCodeImport', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/CodeImportPage')),
    admins('adminPayouts', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/PayoutsPage')),
    admins('adminPayout', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/PayoutPage')),
    admins('adminTeams', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/TeamsPage')),
    admins('adminTeam', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/TeamPage')),
    admins('adminPlans', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/PlansPage')),
    admins('adminPlanAdd', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/PlanAddPage')),
    admins('adminPlanEdit', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/PlanEditPage')),
    admins('adminLedger', () => import(/* webpackChunkName: "route-admin-money" */ '@/features/admin/money/LedgerPage')),
    staff('adminGoals', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/goals/GoalsPage')),
    staff('adminGoalAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/goals/GoalAddPage')),
    staff('adminGoalEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/goals/GoalEditPage')),
    staff('adminGoalPhoto', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/goals/GoalFilePage')),
    staff('adminGoalFeaturedPhoto', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/goals/GoalFilePage')),
    staff('adminAuthors', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/names/AuthorsPage')),
    staff('adminAuthorAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/names/AuthorAddPage')),
    staff('adminAuthorEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/names/AuthorEditPage')),
    staff('adminTags', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/names/TagsPage')),
    staff('adminTagEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/names/TagEditPage')),
    staff('adminCategories', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/categories/CategoriesPage')),
    staff('adminCategoryAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/categories/CategoryAddPage')),
    staff('adminCategoryEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/categories/CategoryEditPage')),
    staff('adminCollections', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/collections/CollectionsPage')),
    staff('adminCollectionAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/collections/CollectionAddPage')),
    staff('adminCollectionEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/collections/CollectionEditPage')),
    staff('adminPodcasts', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/podcasts/PodcastsPage')),
    staff('adminPodcastAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/podcasts/PodcastAddPage')),
    staff('adminPodcastEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/podcasts/PodcastEditPage')),
    staff('adminPodcastMedia', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/podcasts/PodcastFilePage')),
    staff('adminPodcastRevisions', revisions),
    staff('adminPodcastPhoto', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/podcasts/PodcastFilePage')),
    staff('adminPosts', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/blog/PostsPage')),
    staff('adminPostAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/blog/PostAddPage')),
    staff('adminPostEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/blog/PostEditPage')),
    staff('adminPostRevisions', revisions),
    staff('adminPostPhoto', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/blog/PostPhotoPage')),
    staff('adminVisuals', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/visuals/VisualsPage')),
    staff('adminVisualAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/visuals/VisualAddPage')),
    staff('adminVisualEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/visuals/VisualEditPage')),
    staff('adminVisualPhoto', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/visuals/VisualPhotoPage')),
    staff('adminIdeaLinks', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/ideaLinks/IdeaLinksPage')),
    staff('adminIdeaLinkAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/ideaLinks/IdeaLinkAddPage')),
    staff('adminIdeaLinkEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/ideaLinks/IdeaLinkEditPage')),
    staff('adminIdeaLinkProposals', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/ideaLinks/ProposalsPage')),
    staff('adminInsights', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/insights/InsightsPage')),
    staff('adminInsightAdd', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/insights/InsightAddPage')),
    staff('adminInsightEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/content/insights/InsightEditPage')),
    staff('adminPageRevisions', revisions),
    staff('adminPages', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/site/PagesPage')),
    staff('adminPageEdit', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/site/PageEditPage')),
    staff('adminBanner', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/site/BannerPage')),
    staff('adminQuiz', () => import(/* webpackChunkName: "route-admin-content" */ '@/features/admin/site/QuizPage')),
  ],
};
