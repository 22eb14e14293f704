import type { RouteName } from '@/paths';

// Routes that the specification names and later issues fill. An entry goes when its screen comes.
export const COMING_SCREENS = [
  'ai',
] as const satisfies readonly RouteName[];
