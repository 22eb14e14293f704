// The audit log's entries in words.
import { paths } from '@/features/admin/paths';
import { fieldName } from '@/features/admin/words';

const VERBS: Readonly<Record<string, string>> = {
  create: 'added',
  update: 'changed',
  delete: 'deleted',
  upload: 'uploaded a file for',
  file_remove: 'removed a file from',
  merge: 'merged',
  order: 'reordered',
  restore: 'restored',
  publish: 'published',
  unpublish: 'unpublished',
  refund: 'started a refund to',
  refunded: 'refunded',
  suspend: 'suspended',
  plan: 'changed the plan of',
  role: 'changed the role of',
  sessions_end: 'ended sessions of',
  second_factor_reset: 'reset the second factor of',
  list_take_down: 'took down a list of',
  list_allow: 'allowed again a list of',
  export: 'exported',
  done: 'marked as done',
  reopen: 'reopened',
  answer: 'replied to',
  retry: 'tried again',
  retry_all: 'tried all failed emails again:',
  setup: 'set the site up',
};

/** 'book.update' → 'changed'; an unknown action as it is. */
export function describeAction(action: string): string {
  const verb = action.slice(action.indexOf('.') + 1);
  return VERBS[verb] ?? verb.replaceAll('_', ' ');
}

/** A changed value in readable form. */
export function describeJson(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return JSON.stringify(value);
}

/** Whether an action's line includes the values: for changes of money, for the number of emails, and for the name of a list. */
const saysValues = (action: string): boolean => action.startsWith('charge.') || action.startsWith('user.list_') || action === 'mail.retry_all';

interface Change {
  field: string;
  to: string | null;
}

/** The changed fields' names, or for some actions their values, shown beside the subject. */
export const describeChanges = (action: string, changes: readonly Change[]): string =>
  (saysValues(action) ? changes.flatMap(({ to }) => to ?? []) : changes.map(({ field }) => fieldName(field))).join(', ');

const PAGES: Readonly<Record<string, (id: number) => string>> = {
  author: paths.adminAuthorEdit,
  book: paths.adminBookEdit,
  category: paths.adminCategoryEdit,
  charge: paths.adminOrder,
  collection: paths.adminCollectionEdit,
  goal: paths.adminGoalEdit,
  idea_link: paths.adminIdeaLinkEdit,
  insight: paths.adminInsightEdit,
  podcast: paths.adminPodcastEdit,
  post: paths.adminPostEdit,
  tag: paths.adminTagEdit,
  user: paths.adminUserEdit,
};

/** The path of the changed record's page; null when it has none. */
export const subjectPath = ({ kind, id }: { kind: string; id: number | null }): string | null => (id === null ? null : (PAGES[kind]?.(id) ?? null));
