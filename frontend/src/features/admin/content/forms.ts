// Forms for editorial content other than books: fields, values and request bodies (editorial.required-fields). In an edit, a
// missing property leaves the field unchanged, and an empty one clears it.
import { PUBLICATION_FIELDS, publicationForm, publicationValues } from '@/features/admin/components/publication';
import type { Category, Collection, Goal, Insight, Podcast, Post, Visual } from '@/features/admin/content/queries';
import type { Loaded } from '@/ui/records/RecordForm';
import { isOn, listOf, textOf } from '@/ui/records/fields';
import type { FieldDef, Option, Values } from '@/ui/records/fields';

interface Versioned {
  version: number;
  updatedBy: string | null;
}

const loaded = ({ version, updatedBy }: Versioned, values: Values): Loaded => ({ values, version, by: updatedBy });
const trimmed = (values: Values, id: string): string => textOf(values, id).trim();
/** The version that was loaded, for conflict detection; a new record has none. */
const at = (version: number | null) => (version === null ? {} : { version });

/** A new record's publication, unless the editor chooses another one. */
const PUBLISHED: Values = publicationValues({ published: true, publishAt: null });

export const goalFields = (edit: boolean): readonly FieldDef[] => [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'shortTitle', label: 'Short title', type: 'text', required: true, half: true, helpText: 'Used where space is tight.' },
  { id: 'mobileTitle', label: 'Mobile title', type: 'text', required: edit, half: true, helpText: 'Used on phones.' },
  { id: 'desc', label: 'Description', type: 'textarea', rows: 3 },
];
export const NEW_GOAL: Values = { title: '', shortTitle: '', mobileTitle: '', desc: '' };
export const loadedGoal = (goal: Goal): Loaded =>
  loaded(goal, { title: goal.title, shortTitle: goal.shortTitle, mobileTitle: goal.mobileTitle, desc: goal.desc });
export const goalForm = (values: Values, version: number | null) => ({
  title: trimmed(values, 'title'),
  shortTitle: trimmed(values, 'shortTitle'),
  mobileTitle: trimmed(values, 'mobileTitle'),
  desc: trimmed(values, 'desc'),
  ...at(version),
});

export const CATEGORY_FIELDS: readonly FieldDef[] = [
  { id: 'name', label: 'Name', type: 'text', required: true },
  {
    id: 'hue',
    label: 'Hue',
    type: 'text',
    inputType: 'number',
    required: true,
    helpText: 'In degrees, from 0 to 359: the color of its covers, chips and rings.',
  },
];
export const NEW_CATEGORY: Values = { name: '', hue: '30' };
export const loadedCategory = (category: Category): Loaded => loaded(category, { name: category.name, hue: String(category.hue) });
export const categoryForm = (values: Values, version: number | null) => ({
  name: trimmed(values, 'name'),
  hue: Number(trimmed(values, 'hue')),
  ...at(version),
});

/** `books`: the books whose titles are known, to display the chosen ones, also where two versions are compared. */
export const collectionFields = (categories: readonly Option[], books: readonly Option[]): readonly FieldDef[] => [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'subtitle', label: 'Subtitle', type: 'text' },
  { id: 'categories', label: 'Categories', type: 'multi-select', options: categories },
  {
    id: 'books',
    label: 'Books',
    type: 'multi-select',
    options: books,
    helpText: 'In this order. If you choose none, the collection holds the books in its categories, newest first.',
  },
];
export const NEW_COLLECTION: Values = { title: '', subtitle: '', categories: [], books: [] };
export const loadedCollection = (collection: Collection): Loaded =>
  loaded(collection, {
    title: collection.title,
    subtitle: collection.subtitle,
    categories: collection.categories.split(',').filter(Boolean),
    books: collection.books.map(({ id }) => String(id)),
  });
export const collectionForm = (values: Values, version: number | null) => ({
  title: trimmed(values, 'title'),
  subtitle: trimmed(values, 'subtitle'),
  // A comma-separated list, as the API documents it.
  categories: listOf(values, 'categories').join(','),
  books: listOf(values, 'books').map(Number),
  ...at(version),
});

export const podcastFields = (edit: boolean): readonly FieldDef[] => [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'author', label: 'Author', type: 'text', required: true },
  { id: 'authorDesc', label: 'Author description', type: 'textarea', rows: 2, required: !edit },
  { id: 'description', label: 'Description', type: 'textarea', rows: 3, required: !edit },
  { id: 'script', label: 'Script', type: 'textarea', helpText: 'The spoken text.' },
  {
    id: 'mins',
    label: 'Mins',
    type: 'text',
    inputType: 'number',
    half: true,
    helpText: 'Used until there is a recording. If left empty, it is estimated from the script.',
  },
  ...PUBLICATION_FIELDS,
];
export const NEW_PODCAST: Values = {
  title: '',
  author: '',
  authorDesc: '',
  description: '',
  script: '',
  mins: '',
  ...PUBLISHED,
};
export const loadedPodcast = (podcast: Podcast): Loaded =>
  loaded(podcast, {
    title: podcast.title,
    author: podcast.author,
    authorDesc: podcast.authorDesc,
    description: podcast.description,
    script: podcast.script,
    mins: String(podcast.mins),
    ...publicationValues(podcast),
  });
export const podcastForm = (values: Values, version: number | null) => ({
  title: trimmed(values, 'title'),
  author: trimmed(values, 'author'),
  authorDesc: trimmed(values, 'authorDesc'),
  description: trimmed(values, 'description'),
  script: textOf(values, 'script'),
  mins: Number(textOf(values, 'mins')),
  ...publicationForm(values),
  ...at(version),
});

export const postFields = (categories: readonly Option[]): readonly FieldDef[] => [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'description', label: 'Description', type: 'textarea', rows: 2, required: true },
  { id: 'categories', label: 'Categories', type: 'multi-select', required: true, options: categories, creatable: true, helpText: 'Type a new one to add it.' },
  { id: 'author', label: 'Author', type: 'text' },
  { id: 'text', label: 'Text', type: 'textarea', required: true },
  ...PUBLICATION_FIELDS,
];
export const NEW_POST: Values = { title: '', description: '', categories: [], author: '', text: '', ...PUBLISHED };
export const loadedPost = (post: Post): Loaded =>
  loaded(post, {
    title: post.title,
    description: post.description,
    categories: post.categories,
    author: post.author,
    text: post.text,
    ...publicationValues(post),
  });
export const postForm = (values: Values, version: number | null) => ({
  title: trimmed(values, 'title'),
  description: trimmed(values, 'description'),
  categories: [...listOf(values, 'categories')],
  // A new post without an author is attributed to the site.
  ...((version !== null || trimmed(values, 'author') !== '') && { author: trimmed(values, 'author') }),
  text: textOf(values, 'text'),
  ...publicationForm(values),
  ...at(version),
});
/** The categories that existing posts have, as options. */
export const postCategories = (posts: readonly Post[]): readonly Option[] =>
  [...new Set(posts.flatMap(({ categories }) => categories))].sort((a, b) => a.localeCompare(b)).map((name) => ({ value: name, label: name }));

export const INSIGHT_FIELDS: readonly FieldDef[] = [
  { id: 'insight', label: 'Quote', type: 'textarea', rows: 4, required: true },
  { id: 'bookId', label: 'Book', type: 'text', required: true },
  { id: 'title', label: 'Title', type: 'text', helpText: 'For the list. If left empty, the first words of the quote.' },
  { id: 'quoted', label: 'In the book’s own words', type: 'switch' },
];
export const NEW_INSIGHT: Values = { insight: '', bookId: '', title: '', quoted: false };
export const loadedInsight = (insight: Insight): Loaded =>
  loaded(insight, { insight: insight.insight, bookId: insight.bookId ?? '', title: insight.title, quoted: insight.quoted });
export const insightForm = (values: Values, version: number | null) => ({
  insight: trimmed(values, 'insight'),
  bookId: trimmed(values, 'bookId'),
  ...(trimmed(values, 'title') !== '' && { title: trimmed(values, 'title') }),
  quoted: isOn(values, 'quoted'),
  ...at(version),
});

export const visualFields = (edit: boolean): readonly FieldDef[] => [
  { id: 'bookId', label: 'Book ID', type: 'text', required: !edit },
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'body', label: 'Body', type: 'textarea', rows: 5, required: true, helpText: '90 words at most: it appears beside the picture.' },
];
export const NEW_VISUAL: Values = { bookId: '', title: '', body: '' };
export const loadedVisual = (visual: Visual): Loaded => loaded(visual, { bookId: visual.bookSubid, title: visual.title, body: visual.body });
export const visualForm = (values: Values, version: number | null) => ({
  ...(trimmed(values, 'bookId') !== '' && { bookId: trimmed(values, 'bookId') }),
  title: trimmed(values, 'title'),
  body: trimmed(values, 'body'),
  ...at(version),
});
