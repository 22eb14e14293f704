import { createBrowserRouter } from 'react-router';
import { discoverRoutes, routes } from '@/app/routes';

export type Router = ReturnType<typeof createRouter>;

/** The app's router, which begins with the page's address. */
export const createRouter = () => createBrowserRouter(routes, { patchRoutesOnNavigation: discoverRoutes });
