// The revisions of posts, episodes and pages (editorial.kept-revisions).
import { queryOptions } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import { publicationValues } from '@/features/admin/components/publication';
import { loadedPodcast, loadedPost, podcastFields, postFields } from '@/features/admin/content/forms';
import { ROUTES, paths } from '@/features/admin/paths';
import { loadedPage, pageFields } from '@/features/admin/site/forms';
import type { Loaded } from '@/ui/records/RecordForm';
import type { FieldDef, Values } from '@/ui/records/fields';

const TEXTS = {
  blog: {
    name: 'post',
    one: 'a post',
    cached: 'posts',
    revisions: paths.adminPostRevisions(''),
    edit: paths.adminPostEdit,
    list: { to: paths.adminPosts, label: ROUTES.adminPosts.title },
  },
  podcasts: {
    name: 'podcast',
    one: 'a podcast',
    cached: 'podcasts',
    revisions: paths.adminPodcastRevisions(''),
    edit: paths.adminPodcastEdit,
    list: { to: paths.adminPodcasts, label: ROUTES.adminPodcasts.title },
  },
  pages: {
    name: 'page',
    one: 'a page',
    cached: 'pages',
    revisions: paths.adminPageRevisions(''),
    edit: paths.adminPageEdit,
    list: { to: paths.adminPages, label: ROUTES.adminPages.title },
  },
} as const;

export type TextKind = keyof typeof TEXTS;

export const TEXT_KINDS = Object.keys(TEXTS) as readonly TextKind[];
export const textsOf = (kind: TextKind) => TEXTS[kind];

/** A text as it is now, for comparison. */
export interface CurrentText {
  title: string;
  version: number;
  fields: readonly FieldDef[];
  values: Values;
}

const currentOf = (title: string, fields: readonly FieldDef[], { values, version }: Loaded): CurrentText => ({
  title,
  version: version ?? 1,
  // An episode's length may be that of its recording: it says nothing of what was written.
  fields: fields.filter(({ id }) => id !== 'mins'),
  values,
});

const readText: Readonly<Record<TextKind, (id: string, signal: AbortSignal) => Promise<CurrentText>>> = {
  blog: async (id, signal) => {
    const { post } = await call('GET /api/admin/blog/{postId}', { path: { postId: id }, signal });
    return currentOf(post.title, postFields([]), loadedPost(post));
  },
  podcasts: async (id, signal) => {
    const { podcast } = await call('GET /api/admin/podcasts/{id}', { path: { id }, signal });
    return currentOf(podcast.title, podcastFields(true), loadedPodcast(podcast));
  },
  pages: async (id, signal) => {
    const { page } = await call('GET /api/admin/pages/{id}', { path: { id }, signal });
    return currentOf(page.title || page.path, pageFields(page), loadedPage(page));
  },
};

const key = (...rest: readonly string[]): QueryKey => [viewer(), 'admin', 'revisions', ...rest];

export const currentText = (kind: TextKind, id: string) =>
  queryOptions({ queryKey: key(kind, id, 'current'), queryFn: ({ signal }) => readText[kind](id, signal), staleTime: 0, retryOnMount: false });

export const textRevisionsQuery = (kind: TextKind, id: string) =>
  queryOptions({
    queryKey: key(kind, id, 'list'),
    queryFn: async ({ signal }) => (await call('GET /api/admin/revisions/{kind}/{id}', { path: { kind, id }, signal })).revisions,
    staleTime: 0,
    retryOnMount: false,
  });

export const textRevisionQuery = (kind: TextKind, id: string, revision: string) =>
  queryOptions({
    queryKey: key(kind, id, 'one', revision),
    queryFn: async ({ signal }) => (await call('GET /api/admin/revisions/{kind}/{id}/{revision}', { path: { kind, id, revision }, signal })).revision,
    retryOnMount: false,
  });

/** The fields of a revision as values of the form. */
export function valuesOfRevision(fields: readonly FieldDef[], stored: Readonly<Record<string, string>>): Values {
  const at = stored['publishAt'];
  const publication = publicationValues({ published: stored['published'] === 'true', publishAt: at === undefined ? null : Number(at) });
  const valueOf = ({ id, type }: FieldDef) => {
    const text = stored[id] ?? '';
    return type === 'multi-select' ? text.split('\n').filter(Boolean) : text;
  };
  return { ...Object.fromEntries(fields.map((field) => [field.id, valueOf(field)])), ...publication };
}
