import { createBrowserRouter } from 'react-router';
import { discoverRoutes, routes } from '@/app/routes';

export type Router = ReturnType<typeof createRouter>;

/** Creates the app's router at the current URL. */
export const createRouter = () => createBrowserRouter(routes, { patchRoutesOnNavigation: discoverRoutes });
