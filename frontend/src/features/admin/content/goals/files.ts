// The pictures of a goal, and the pages that upload them.
import { FEATURED_PHOTO, PHOTO } from '@/features/admin/components/UploadPage';
import type { Goal } from '@/features/admin/content/queries';
import { paths } from '@/features/admin/paths';

export const GOAL_FILES = [
  { kind: PHOTO, call: 'photo', to: paths.adminGoalPhoto, urlOf: ({ photo }: Goal) => photo },
  { kind: FEATURED_PHOTO, call: 'feature-photo', to: paths.adminGoalFeaturedPhoto, urlOf: ({ photov2 }: Goal) => photov2 },
] as const;
