// All routes of the site, each with its chunk; those of the back office are in `features/admin/routes.ts`. A chunk's name,
// `route-<name>`, is its key in dist/manifest.json.
//
// To add a page: a module src/features/<feature>/…/<Name>Page.tsx that exports `Component` (and `loader`, if it
// fetches), a route here, its path and title in src/paths.ts. Members' pages go under the `protected` group.
import { redirect } from 'react-router';
import type { MiddlewareFunction, PatchRoutesOnNavigationFunction, RouteObject } from 'react-router';
import { ensureSession } from '@/api/client';
import { session } from '@/api/session';
import { ErrorPage } from '@/app/ErrorPage';
import { Layout } from '@/app/Layout';
import { signInByUrlToken } from '@/shared/session/signIn';
import { ROUTES, signupFor } from '@/paths';
import type { RouteName } from '@/paths';
import { NotFound } from '@/ui/NotFound';

/** On a payer's return from PayPal, the `token` in the URL is PayPal's, not a sign-in token. */
const isPaymentReturn = ({ pathname }: URL): boolean => pathname.startsWith('/payment/');

/** Runs before all loaders: exchanges a token in the URL, and refreshes an expired session once (identity.single-use-token, identity.returning-member). */
const settleSession: MiddlewareFunction = async ({ request }, next) => {
  const url = new URL(request.url);
  if (url.searchParams.has('token') && !isPaymentReturn(url)) throw redirect(await signInByUrlToken(url));
  await ensureSession();
  return next();
};

/** Redirects visitors to the sign-up, which returns to this page afterwards (site.members-pages). */
const requireSession: MiddlewareFunction = ({ request }, next) => {
  if (session.token() !== null) return next();
  const { pathname, search } = new URL(request.url);
  throw redirect(signupFor(pathname + search));
};

const route = (name: RouteName) => ({ path: ROUTES[name].path });

const open: RouteObject[] = [
  { index: true, lazy: () => import(/* webpackChunkName: "route-front" */ '@/features/site/pages/FrontPage') },
  { ...route('setup'), lazy: () => import(/* webpackChunkName: "route-setup" */ '@/features/site/setup/pages/SetupPage') },
  { ...route('signup'), lazy: () => import(/* webpackChunkName: "route-signup" */ '@/features/identity/pages/SignupPage') },
  { ...route('login'), lazy: () => import(/* webpackChunkName: "route-login" */ '@/features/identity/pages/LoginPage') },
  { ...route('goback'), lazy: () => import(/* webpackChunkName: "route-goback" */ '@/features/identity/pages/GobackPage') },
  { ...route('loginLink'), lazy: () => import(/* webpackChunkName: "route-login-link" */ '@/features/identity/pages/LoginLinkPage') },
  { ...route('forgotPassword'), lazy: () => import(/* webpackChunkName: "route-forgot-password" */ '@/features/identity/pages/ForgotPasswordPage') },
  {
    ...route('resetPassword'),
    lazy: () => import(/* webpackChunkName: "route-reset-password" */ '@/features/identity/pages/ResetPasswordPage'),
  },
  { ...route('confirmEmail'), lazy: () => import(/* webpackChunkName: "route-confirm-email" */ '@/features/identity/pages/ConfirmEmailPage') },
  { ...route('logout'), lazy: () => import(/* webpackChunkName: "route-logout" */ '@/features/identity/pages/LogoutPage') },
  { ...route('accountDelete'), lazy: () => import(/* webpackChunkName: "route-account-delete" */ '@/features/identity/account/pages/DeletePage') },
  { ...route('accountArchive'), lazy: () => import(/* webpackChunkName: "route-account-archive" */ '@/features/identity/account/pages/ArchivePage') },
  { ...route('books'), lazy: () => import(/* webpackChunkName: "route-books" */ '@/features/catalogue/pages/BooksPage') },
  { ...route('booklist'), lazy: () => import(/* webpackChunkName: "route-booklist" */ '@/features/catalogue/pages/BooklistPage') },
  { ...route('category'), lazy: () => import(/* webpackChunkName: "route-category" */ '@/features/catalogue/pages/CategoryPage') },
  { ...route('collections'), lazy: () => import(/* webpackChunkName: "route-collections" */ '@/features/catalogue/pages/CollectionsPage') },
  { ...route('collection'), lazy: () => import(/* webpackChunkName: "route-collection" */ '@/features/catalogue/pages/CollectionPage') },
  { ...route('ideas'), lazy: () => import(/* webpackChunkName: "route-ideas" */ '@/features/catalogue/ideas/pages/IdeasPage') },
  {
    ...route('ideasOfTopic'),
    lazy: () => import(/* webpackChunkName: "route-ideas-of-topic" */ '@/features/catalogue/ideas/pages/IdeasOfTopicPage'),
  },
  { ...route('sharedList'), lazy: () => import(/* webpackChunkName: "route-shared-list" */ '@/features/study/sharedList/pages/SharedListPage') },
  { ...route('authors'), lazy: () => import(/* webpackChunkName: "route-authors" */ '@/features/catalogue/pages/AuthorsPage') },
  { ...route('author'), lazy: () => import(/* webpackChunkName: "route-author" */ '@/features/catalogue/pages/AuthorPage') },
  { ...route('book'), lazy: () => import(/* webpackChunkName: "route-reader" */ '@/features/reading-progress/reading/pages/ReaderPage') },
  {
    ...route('bookDetail'),
    handle: { bare: true },
    lazy: () => import(/* webpackChunkName: "route-reader" */ '@/features/reading-progress/reading/pages/ReaderPage'),
  },
  { ...route('blog'), lazy: () => import(/* webpackChunkName: "route-blog" */ '@/features/editorial/pages/BlogPage') },
  { ...route('whatsNew'), lazy: () => import(/* webpackChunkName: "route-blog" */ '@/features/editorial/pages/BlogPage') },
  { ...route('post'), lazy: () => import(/* webpackChunkName: "route-post" */ '@/features/editorial/pages/PostPage') },
  { ...route('podcasts'), lazy: () => import(/* webpackChunkName: "route-podcasts" */ '@/features/editorial/pages/PodcastsPage') },
  { ...route('podcast'), lazy: () => import(/* webpackChunkName: "route-podcast" */ '@/features/editorial/pages/PodcastPage') },
  { ...route('about'), lazy: () => import(/* webpackChunkName: "route-site-page" */ '@/features/editorial/pages/SitePage') },
  { ...route('terms'), lazy: () => import(/* webpackChunkName: "route-site-page" */ '@/features/editorial/pages/SitePage') },
  { ...route('privacy'), lazy: () => import(/* webpackChunkName: "route-site-page" */ '@/features/editorial/pages/SitePage') },
  { ...route('try'), lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/editorial/product/pages/ProductPage') },
  { ...route('pricing'), lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/editorial/product/pages/ProductPage') },
  { ...route('teams'), lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/editorial/product/pages/ProductPage') },
  { ...route('giftcard'), lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/editorial/product/pages/ProductPage') },
  { ...route('refer'), lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/editorial/product/pages/ProductPage') },
  { ...route('affiliate'), lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/editorial/product/pages/ProductPage') },
  {
    ...route('payment'),
    handle: { checkout: true },
    lazy: () => import(/* webpackChunkName: "route-payment" */ '@/features/billing/checkout/pages/CheckoutPage'),
  },
  { ...route('video'), lazy: () => import(/* webpackChunkName: "route-video" */ '@/features/reading-progress/listening/pages/VideoPage') },
  { ...route('visuals'), lazy: () => import(/* webpackChunkName: "route-visuals" */ '@/features/catalogue/visuals/pages/VisualsPage') },
  { ...route('visualsOf'), lazy: () => import(/* webpackChunkName: "route-visual-viewer" */ '@/features/catalogue/visuals/pages/VisualViewerPage') },
  { ...route('infographics'), lazy: () => import(/* webpackChunkName: "route-infographics" */ '@/features/catalogue/visuals/pages/InfographicsPage') },
  { ...route('contact'), lazy: () => import(/* webpackChunkName: "route-contact" */ '@/features/support/pages/ContactPage') },
  { ...route('suggest'), lazy: () => import(/* webpackChunkName: "route-suggest" */ '@/features/support/pages/SuggestPage') },
  { ...route('feedback'), lazy: () => import(/* webpackChunkName: "route-feedback" */ '@/features/support/pages/FeedbackPage') },
  {
    ...route('downloadPdfOr'),
    lazy: () => import(/* webpackChunkName: "route-download-pdf-or" */ '@/features/delivery/pages/DownloadPdfOrPage'),
  },
  { ...route('referral'), lazy: () => import(/* webpackChunkName: "route-referral" */ '@/features/referral/pages/ReferralPage') },
  { ...route('cancel'), lazy: () => import(/* webpackChunkName: "route-cancel" */ '@/features/billing/membership/pages/CancelPage') },
  {
    ...route('subscriptionCode'),
    lazy: () => import(/* webpackChunkName: "route-subscription-code" */ '@/features/billing/membership/pages/SubscriptionCodePage'),
  },
  {
    ...route('subscriptionCodeOf'),
    lazy: () => import(/* webpackChunkName: "route-subscription-code" */ '@/features/billing/membership/pages/SubscriptionCodePage'),
  },
  { ...route('referAFriend'), lazy: () => import(/* webpackChunkName: "route-refer-a-friend" */ '@/features/referral/pages/ReferAFriendPage') },
  { ...route('tenDayChallenge'), lazy: () => import(/* webpackChunkName: "route-ten-day-challenge" */ '@/features/challenge/pages/ChallengePage') },
  { ...route('unsubscribe'), lazy: () => import(/* webpackChunkName: "route-unsubscribe" */ '@/features/site/pages/UnsubscribePage') },
  { ...route('quiz'), lazy: () => import(/* webpackChunkName: "route-quiz" */ '@/features/challenge/quizzes/pages/QuizPage') },
  { ...route('quizResults'), lazy: () => import(/* webpackChunkName: "route-quiz-results" */ '@/features/challenge/quizzes/pages/QuizResultsPage') },
  {
    ...route('personalityQuiz'),
    lazy: () => import(/* webpackChunkName: "route-personality-quiz" */ '@/features/challenge/quizzes/pages/PersonalityQuizPage'),
  },
  {
    ...route('personalityQuizResults'),
    lazy: () => import(/* webpackChunkName: "route-personality-quiz-results" */ '@/features/challenge/quizzes/pages/PersonalityQuizResultsPage'),
  },
  { ...route('getStarted'), lazy: () => import(/* webpackChunkName: "route-get-started" */ '@/features/challenge/onboarding/pages/GetStartedPage') },
  { ...route('secret'), lazy: () => import(/* webpackChunkName: "route-secret" */ '@/features/challenge/onboarding/pages/SecretPage') },
  { ...route('ai'), lazy: () => import(/* webpackChunkName: "route-summariser" */ '@/features/summaries/pages/SummariserPage') },
];

const members: RouteObject[] = [
  { ...route('home'), lazy: () => import(/* webpackChunkName: "route-home" */ '@/features/catalogue/pages/HomePage') },
  { ...route('recommendations'), lazy: () => import(/* webpackChunkName: "route-recommendations" */ '@/features/catalogue/pages/RecommendationsPage') },
  {
    ...route('chooseCategories'),
    lazy: () => import(/* webpackChunkName: "route-choose-categories" */ '@/features/catalogue/pages/ChooseCategoriesPage'),
  },
  { ...route('library'), lazy: () => import(/* webpackChunkName: "route-library" */ '@/features/reading-progress/reading/pages/LibraryPage') },
  { ...route('lists'), lazy: () => import(/* webpackChunkName: "route-lists" */ '@/features/study/lists/pages/ListsPage') },
  { ...route('list'), lazy: () => import(/* webpackChunkName: "route-lists" */ '@/features/study/lists/pages/OwnListPage') },
  { ...route('myProgress'), lazy: () => import(/* webpackChunkName: "route-my-progress" */ '@/features/reading-progress/progress/pages/MyProgressPage') },
  { ...route('year'), lazy: () => import(/* webpackChunkName: "route-year" */ '@/features/reading-progress/progress/pages/YearPage') },
  { ...route('session'), lazy: () => import(/* webpackChunkName: "route-session" */ '@/features/study/session/pages/SessionPage') },
  { ...route('studySettings'), lazy: () => import(/* webpackChunkName: "route-study-settings" */ '@/features/study/settings/pages/StudySettingsPage') },
  { ...route('teamList'), lazy: () => import(/* webpackChunkName: "route-team-list" */ '@/features/study/teamList/pages/TeamListPage') },
  { ...route('highlights'), lazy: () => import(/* webpackChunkName: "route-highlights" */ '@/features/study/highlights/pages/HighlightsPage') },
  { ...route('review'), lazy: () => import(/* webpackChunkName: "route-review" */ '@/features/study/review/pages/ReviewPage') },
  { ...route('reviewCards'), lazy: () => import(/* webpackChunkName: "route-review-cards" */ '@/features/study/review/pages/ReviewCardsPage') },
  { ...route('setKindle'), lazy: () => import(/* webpackChunkName: "route-set-kindle" */ '@/features/delivery/pages/SetKindlePage') },
  { ...route('sendToKindle'), lazy: () => import(/* webpackChunkName: "route-send-to-kindle" */ '@/features/delivery/pages/SendToKindlePage') },
  { ...route('downloadPdf'), lazy: () => import(/* webpackChunkName: "route-download-pdf" */ '@/features/delivery/pages/DownloadPdfPage') },
  { ...route('account'), lazy: () => import(/* webpackChunkName: "route-account" */ '@/app/account/AccountPage') },
  { ...route('accountImport'), lazy: () => import(/* webpackChunkName: "route-account-import" */ '@/features/identity/account/pages/ImportPage') },
  { ...route('apiTokens'), lazy: () => import(/* webpackChunkName: "route-api-tokens" */ '@/features/identity/account/pages/ApiTokensPage') },
  { ...route('stackSocial'), lazy: () => import(/* webpackChunkName: "route-stack-social" */ '@/features/billing/membership/pages/StackSocialPage') },
  { ...route('invite'), lazy: () => import(/* webpackChunkName: "route-invite" */ '@/features/referral/pages/InvitePage') },
  { ...route('aiSummary'), lazy: () => import(/* webpackChunkName: "route-summary" */ '@/features/summaries/pages/SummaryPage') },
];

/** Id of the route group that the back office's routes are added to. */
const MEMBERS = 'members';

/**
 * Adds the back office's routes when one of its paths is first opened, so that other viewers don't load them. The router calls
 * this for each path that matches no static route.
 */
export const discoverRoutes: PatchRoutesOnNavigationFunction = async ({ path, matches, patch }) => {
  if (!/^\/admin(\/|$)/.test(path) || matches.some(({ route: { id } }) => id === 'admin')) return;
  const { adminRoutes } = await import(/* webpackChunkName: "admin-routes" */ '@/features/admin/routes');
  patch(MEMBERS, [adminRoutes]);
};

export const routes: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: ErrorPage,
    middleware: [settleSession],
    // No fallback: the server's markup stays in place while the first route loads.
    HydrateFallback: () => null,
    children: [
      {
        ErrorBoundary: ErrorPage,
        children: [
          ...open,
          { id: MEMBERS, middleware: [requireSession], handle: { protected: true }, loader: () => null, children: members },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
];
