// The forms of the banner, the pages and the quizzes: fields, values and request bodies.
import { PUBLICATION_FIELDS, localTime, publicationForm, publicationValues } from '@/features/admin/components/publication';
import type { Banner, Quiz, SitePage } from '@/features/admin/site/queries';
import type { Loaded } from '@/ui/records/RecordForm';
import { isOn, listOf, textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

const trimmed = (values: Values, id: string): string => textOf(values, id).trim();
const at = (version: number | null) => (version === null ? {} : { version });

const momentOf = (values: Values, id: string): number | null => {
  const millis = new Date(trimmed(values, id)).getTime();
  return Number.isNaN(millis) ? null : millis;
};

export const BANNER_FIELDS: readonly FieldDef[] = [
  { id: 'preview', label: 'Preview', type: 'readonly' },
  { id: 'on', label: 'Show the banner', type: 'switch' },
  { id: 'text', label: 'Text', type: 'text', required: true },
  { id: 'linkText', label: 'Link text', type: 'text', required: true, half: true },
  { id: 'href', label: 'Link', type: 'text', required: true, half: true, helpText: 'A path on this site, such as /try.' },
  { id: 'from', label: 'From', type: 'datetime', half: true, helpText: 'If left empty, it appears right away. In your own time zone.' },
  { id: 'until', label: 'Until', type: 'datetime', half: true, helpText: 'If left empty, it stays up until you turn it off.' },
];
export const loadedBanner = ({ text, linkText, href, from, until, on, version, updatedBy }: Banner): Loaded => ({
  values: { on, text, linkText, href, from: localTime(from), until: localTime(until) },
  version,
  by: updatedBy,
});
export const bannerForm = (values: Values, version: number | null) => ({
  on: isOn(values, 'on'),
  text: trimmed(values, 'text'),
  linkText: trimmed(values, 'linkText'),
  href: trimmed(values, 'href'),
  from: momentOf(values, 'from'),
  until: momentOf(values, 'until'),
  ...at(version),
});

/** Whether readers see the banner now, or why not. */
export function bannerState({ text, on, from, until }: Pick<Banner, 'text' | 'on' | 'from' | 'until'>, now: number): string {
  if (text === '') return 'Not written yet';
  if (!on) return 'Off';
  if (until !== null && until <= now) return 'Ended';
  return from !== null && from > now ? 'Not shown yet' : 'Shown now';
}

const SITE_FIELDS: readonly FieldDef[] = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'description', label: 'Description', type: 'textarea', rows: 2, required: true, helpText: 'What search engines show.' },
  {
    id: 'text',
    label: 'Text',
    type: 'textarea',
    required: true,
    helpText: '{name}, {email} and {url} stand for the site’s name, support email and web address.',
  },
];

/** The heading above the first text of each group. */
const GROUPS: Readonly<Record<string, string>> = { offer: 'Plans', block: 'Blocks', question: 'Questions and answers' };

/** A page's fields: one HTML text, or the ordered texts of a product page. */
export function pageFields(page: SitePage): readonly FieldDef[] {
  if (page.kind === 'site') return [...SITE_FIELDS, ...PUBLICATION_FIELDS];
  const seen = new Set<string>();
  const texts = page.texts.map(({ name, label, long }): FieldDef => {
    const group = name.split('.')[0] ?? '';
    const section = seen.has(group) ? undefined : GROUPS[group];
    seen.add(group);
    return { id: name, label, required: true, ...(long ? { type: 'textarea', rows: 3 } : { type: 'text' }), ...(section !== undefined && { section }) };
  });
  return [...texts, ...PUBLICATION_FIELDS];
}
export const loadedPage = (page: SitePage): Loaded => ({
  values: {
    ...(page.kind === 'site'
      ? { title: page.title, description: page.description, text: page.text }
      : Object.fromEntries(page.texts.map(({ name, text }) => [name, text]))),
    ...publicationValues(page),
  },
  version: page.version,
  by: page.updatedBy,
});
export const pageForm = (page: SitePage, values: Values, version: number | null) => ({
  ...(page.kind === 'site'
    ? { title: trimmed(values, 'title'), description: trimmed(values, 'description'), text: textOf(values, 'text') }
    : // Only changed texts: an unchanged one keeps following the product's default.
      { texts: page.texts.flatMap(({ name, text }) => (trimmed(values, name) === text ? [] : [{ name, text: trimmed(values, name) }])) }),
  ...publicationForm(values),
  ...at(version),
});

/** A statement while it is edited. */
export interface Statement {
  /** Empty for a new statement. */
  id: string;
  dimension: string;
  statement: string;
}

const SEPARATOR = ' · ';
/** A statement as a string, for comparing and displaying lists: 'Red · I decide. · 12'. */
export const itemOf = ({ id, dimension, statement }: Statement): string => [dimension, statement, id].join(SEPARATOR);
export function statementOf(item: string): Statement {
  const parts = item.split(SEPARATOR);
  return { dimension: parts[0] ?? '', statement: parts.slice(1, -1).join(SEPARATOR), id: parts.at(-1) ?? '' };
}

export const QUIZ_FIELDS: readonly FieldDef[] = [{ id: 'questions', label: 'Statements', type: 'multi-select', required: true }];
export const loadedQuiz = ({ questions, version, updatedBy }: Quiz): Loaded => ({
  values: { questions: questions.map(({ id, dimension, statement }) => itemOf({ id: String(id), dimension, statement })) },
  version,
  by: updatedBy,
});
export const quizForm = (values: Values, version: number | null) => ({
  questions: listOf(values, 'questions').map((item) => {
    const { id, dimension, statement } = statementOf(item);
    return { dimension, statement: statement.trim(), ...(id !== '' && { id: Number(id) }) };
  }),
  ...at(version),
});

/** The number of statements per dimension, and which dimensions violate the quiz's rule (challenge.quiz-statements). */
export function balanceOf(
  kind: 'intelligence' | 'personality',
  dimensions: readonly string[],
  statements: readonly Statement[],
): { dimension: string; count: number; wrong: boolean }[] {
  const counts = dimensions.map((dimension) => ({ dimension, count: statements.filter((one) => one.dimension === dimension).length }));
  // Of the four colors, three must have four statements, and one (any) must have three.
  const others = counts.filter(({ count }) => count !== 4);
  const isRight = kind === 'intelligence' ? counts.every(({ count }) => count === 2) : others.length === 1 && others[0]?.count === 3;
  return counts.map((one) => ({ ...one, wrong: !isRight && (kind === 'intelligence' ? one.count !== 2 : others.length === 0 || one.count !== 4) }));
}
