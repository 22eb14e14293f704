// The pictures of a goal, and the pages that upload them.
import { FEATURED_PHOTO, PHOTO } from '@/features/admin/components/UploadPage';
import type { Goal } from '@/features/admin/content/queries';
import type { Picture } from '@/features/admin/components/pictures';
import { paths } from '@/features/admin/paths';

export const GOAL_FILES = [
  { kind: PHOTO, call: 'photo', to: paths.adminGoalPhoto, urlOf: ({ photo }: Goal) => photo },
  { kind: FEATURED_PHOTO, call: 'feature-photo', to: paths.adminGoalFeaturedPhoto, urlOf: ({ photov2 }: Goal) => photov2 },
] as const;

/** The same, as fields of a goal's form. */
export const GOAL_PICTURES: readonly Picture<Goal>[] = GOAL_FILES.map(({ kind, call, urlOf }) => ({
  id: call,
  kind,
  urlOf,
  path: ({ id }) => `/api/admin/goals/${call}/${id}`,
}));
