import { createBrowserRouter } from 'react-router';
import { discoverRoutes, routes } from '@/app/routes';

export const router = createBrowserRouter(routes, { patchRoutesOnNavigation: discoverRoutes });
