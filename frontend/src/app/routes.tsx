// Every route of the site and the chunk that shows it. A chunk's name, `route-<name>`, is its key in dist/manifest.json.
//
// A new screen: a module src/features/<domain>/pages/<Name>Page.tsx that exports `Component` (and `loader`, when it
// fetches), a line here, its address in src/paths.ts. Members' screens stand under the `protected` group.
import { redirect } from 'react-router';
import type { MiddlewareFunction, RouteObject } from 'react-router';
import { signInByToken } from '@/api/arrival';
import { ensureSession } from '@/api/client';
import { session } from '@/api/session';
import { ErrorPage } from '@/app/ErrorPage';
import { Layout } from '@/app/Layout';
import { comingScreens } from '@/app/comingScreens';
import { signupFor } from '@/paths';
import { NotFound } from '@/ui/NotFound';

/** Before any page decides anything: a token in the address is traded in, an old one renewed once (decisions.md 12, 15). */
const settleSession: MiddlewareFunction = async ({ request }, next) => {
  const url = new URL(request.url);
  if (url.searchParams.has('token')) throw redirect(await signInByToken(url));
  await ensureSession();
  return next();
};

/** Members only: everybody else is sent to sign up, and comes back (back-office.md, route table). */
const requireSession: MiddlewareFunction = ({ request }, next) => {
  if (session.token() !== null) return next();
  const { pathname, search } = new URL(request.url);
  throw redirect(signupFor(pathname + search));
};

const open: RouteObject[] = [
  { index: true, lazy: () => import(/* webpackChunkName: "route-front" */ '@/features/site/pages/FrontPage') },
  { path: 'signup', lazy: () => import(/* webpackChunkName: "route-signup" */ '@/features/identity/pages/SignupPage') },
  { path: 'login', lazy: () => import(/* webpackChunkName: "route-login" */ '@/features/identity/pages/LoginPage') },
  { path: 'goback', lazy: () => import(/* webpackChunkName: "route-goback" */ '@/features/identity/pages/GobackPage') },
  { path: 'login-link', lazy: () => import(/* webpackChunkName: "route-login-link" */ '@/features/identity/pages/LoginLinkPage') },
  { path: 'forgot-password', lazy: () => import(/* webpackChunkName: "route-forgot-password" */ '@/features/identity/pages/ForgotPasswordPage') },
  {
    path: 'reset-password/:email/:code',
    lazy: () => import(/* webpackChunkName: "route-reset-password" */ '@/features/identity/pages/ResetPasswordPage'),
  },
  { path: 'confirm-email', lazy: () => import(/* webpackChunkName: "route-confirm-email" */ '@/features/identity/pages/ConfirmEmailPage') },
  { path: 'logout', lazy: () => import(/* webpackChunkName: "route-logout" */ '@/features/identity/pages/LogoutPage') },
  { path: 'account/delete', lazy: () => import(/* webpackChunkName: "route-account-delete" */ '@/features/account/pages/DeletePage') },
  { path: 'account/archive', lazy: () => import(/* webpackChunkName: "route-account-archive" */ '@/features/account/pages/ArchivePage') },
  { path: 'books', lazy: () => import(/* webpackChunkName: "route-books" */ '@/features/catalogue/pages/BooksPage') },
  { path: 'booklist/:sort/:tag', lazy: () => import(/* webpackChunkName: "route-booklist" */ '@/features/catalogue/pages/BooklistPage') },
  { path: 'category/:category', lazy: () => import(/* webpackChunkName: "route-category" */ '@/features/catalogue/pages/CategoryPage') },
  { path: 'collections', lazy: () => import(/* webpackChunkName: "route-collections" */ '@/features/catalogue/pages/CollectionsPage') },
  { path: 'collections/:id', lazy: () => import(/* webpackChunkName: "route-collection" */ '@/features/catalogue/pages/CollectionPage') },
  { path: 'authors', lazy: () => import(/* webpackChunkName: "route-authors" */ '@/features/catalogue/pages/AuthorsPage') },
  { path: 'authors/:slug', lazy: () => import(/* webpackChunkName: "route-author" */ '@/features/catalogue/pages/AuthorPage') },
  { path: 'books/:id', lazy: () => import(/* webpackChunkName: "route-reader" */ '@/features/reading/pages/ReaderPage') },
  {
    path: 'book-detail/:id',
    handle: { bare: true },
    lazy: () => import(/* webpackChunkName: "route-reader" */ '@/features/reading/pages/ReaderPage'),
  },
  { path: 'blog', lazy: () => import(/* webpackChunkName: "route-blog" */ '@/features/editorial/pages/BlogPage') },
  { path: 'blog/whats-new', lazy: () => import(/* webpackChunkName: "route-blog" */ '@/features/editorial/pages/BlogPage') },
  { path: 'blog/:slug', lazy: () => import(/* webpackChunkName: "route-post" */ '@/features/editorial/pages/PostPage') },
  { path: 'podcasts', lazy: () => import(/* webpackChunkName: "route-podcasts" */ '@/features/editorial/pages/PodcastsPage') },
  { path: 'podcasts/:slug', lazy: () => import(/* webpackChunkName: "route-podcast" */ '@/features/editorial/pages/PodcastPage') },
  { path: 'about', lazy: () => import(/* webpackChunkName: "route-site-page" */ '@/features/editorial/pages/SitePage') },
  { path: 'terms', lazy: () => import(/* webpackChunkName: "route-site-page" */ '@/features/editorial/pages/SitePage') },
  { path: 'privacy', lazy: () => import(/* webpackChunkName: "route-site-page" */ '@/features/editorial/pages/SitePage') },
  { path: 'try', lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/product/pages/ProductPage') },
  { path: 'pricing', lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/product/pages/ProductPage') },
  { path: 'teams', lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/product/pages/ProductPage') },
  { path: 'giftcard', lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/product/pages/ProductPage') },
  { path: 'refer', lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/product/pages/ProductPage') },
  { path: 'affiliate', lazy: () => import(/* webpackChunkName: "route-product" */ '@/features/product/pages/ProductPage') },
  { path: 'video/:id', lazy: () => import(/* webpackChunkName: "route-video" */ '@/features/listening/pages/VideoPage') },
  { path: 'visuals', lazy: () => import(/* webpackChunkName: "route-visuals" */ '@/features/visuals/pages/VisualsPage') },
  { path: 'visuals/:id', lazy: () => import(/* webpackChunkName: "route-visual-viewer" */ '@/features/visuals/pages/VisualViewerPage') },
  { path: 'infographics', lazy: () => import(/* webpackChunkName: "route-infographics" */ '@/features/visuals/pages/InfographicsPage') },
  { path: 'contact', lazy: () => import(/* webpackChunkName: "route-contact" */ '@/features/support/pages/ContactPage') },
  { path: 'suggest', lazy: () => import(/* webpackChunkName: "route-suggest" */ '@/features/support/pages/SuggestPage') },
  { path: 'feedback-form', lazy: () => import(/* webpackChunkName: "route-feedback" */ '@/features/support/pages/FeedbackPage') },
  {
    path: 'download-pdf-or/:id/:title',
    lazy: () => import(/* webpackChunkName: "route-download-pdf-or" */ '@/features/files/pages/DownloadPdfOrPage'),
  },
  { path: 'refer-a-friend', lazy: () => import(/* webpackChunkName: "route-refer-a-friend" */ '@/features/referral/pages/ReferAFriendPage') },
];

const members: RouteObject[] = [
  { path: 'home', lazy: () => import(/* webpackChunkName: "route-home" */ '@/features/catalogue/pages/HomePage') },
  {
    path: 'choose-categories/:type',
    lazy: () => import(/* webpackChunkName: "route-choose-categories" */ '@/features/catalogue/pages/ChooseCategoriesPage'),
  },
  { path: 'library', lazy: () => import(/* webpackChunkName: "route-library" */ '@/features/reading/pages/LibraryPage') },
  { path: 'my-progress', lazy: () => import(/* webpackChunkName: "route-my-progress" */ '@/features/progress/pages/MyProgressPage') },
  { path: 'set-kindle', lazy: () => import(/* webpackChunkName: "route-set-kindle" */ '@/features/files/pages/SetKindlePage') },
  { path: 'send-to-kindle/:bookId?', lazy: () => import(/* webpackChunkName: "route-send-to-kindle" */ '@/features/files/pages/SendToKindlePage') },
  { path: 'download-pdf/:id/:title', lazy: () => import(/* webpackChunkName: "route-download-pdf" */ '@/features/files/pages/DownloadPdfPage') },
  { path: 'account', lazy: () => import(/* webpackChunkName: "route-account" */ '@/features/account/pages/AccountPage') },
];

/** The back office: one chunk for all of it, for few people. The shell shows everybody else the access page. */
const admin: RouteObject = {
  path: 'admin',
  lazy: () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/AdminLayout'),
  children: [
    { index: true, lazy: () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/OverviewPage') },
    { path: 'messages', lazy: () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/MessagesPage') },
    { path: 'mails', lazy: () => import(/* webpackChunkName: "route-admin" */ '@/features/admin/pages/MailsPage') },
  ],
};

/** Screens of later issues: an honest page under the real address. */
const coming: RouteObject[] = comingScreens.map(({ path, title }) => ({
  path,
  handle: { comingTitle: title },
  lazy: () => import(/* webpackChunkName: "route-coming-soon" */ '@/app/ComingSoonPage'),
}));

export const routes: RouteObject[] = [
  {
    Component: Layout,
    ErrorBoundary: ErrorPage,
    middleware: [settleSession],
    // Nothing stands in for the server's text while the first route loads.
    HydrateFallback: () => null,
    children: [
      {
        ErrorBoundary: ErrorPage,
        children: [
          ...open,
          { middleware: [requireSession], handle: { protected: true }, loader: () => null, children: [...members, admin] },
          ...coming,
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
];
