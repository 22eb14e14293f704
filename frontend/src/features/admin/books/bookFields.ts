// The form of a book: its fields, its values, and the request body.
import { PUBLICATION_FIELDS, publicationForm, publicationValues } from '@/features/admin/components/publication';
import type { BookChange, BookDetail } from '@/features/admin/books/queries';
import type { Loaded } from '@/ui/records/RecordForm';
import { isOn, listOf, textOf } from '@/ui/records/fields';
import type { FieldDef, Option, Values } from '@/ui/records/fields';

interface Choices {
  categories: readonly Option[];
  goals: readonly Option[];
}

/** The fields of a book. `edit` adds those that a new book gets automatically. */
export const fieldsOf = ({ categories, goals }: Choices, edit: boolean): readonly FieldDef[] => [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'author', label: 'Author', type: 'text', required: true, half: true, helpText: 'A new author is added automatically.' },
  { id: 'year', label: 'Year', type: 'text', inputType: 'number', half: true },
  { id: 'authorDesc', label: 'About the author', type: 'textarea', rows: 2 },
  { id: 'description', label: 'Description', type: 'textarea', rows: 3 },
  { id: 'categories', label: 'Categories', type: 'multi-select', required: true, options: categories },
  { id: 'goals', label: 'Goals', type: 'multi-select', options: goals, half: true },
  { id: 'tags', label: 'Tags', type: 'multi-select', options: [], creatable: true, half: true },
  ...(edit
    ? [{ id: 'subid', label: 'Address', type: 'text', helpText: 'The end of the book’s address. If you change it, the old address stops working.' } as const]
    : []),
  { id: 'body', label: 'Body', type: 'textarea', section: 'Text', helpText: 'Each section begins with a Section heading.' },
  { id: 'quotes', label: 'Quotes', type: 'textarea', rows: 3, helpText: 'One per line, with its chapter after a vertical bar.' },
  ...PUBLICATION_FIELDS,
  { id: 'free', label: 'Free for everyone', type: 'switch', half: true },
  { id: 'isPopular', label: 'Popular', type: 'switch', half: true },
  { id: 'comingSoon', label: 'Coming soon', type: 'switch', half: true },
];

type Written = Pick<
  BookDetail,
  | 'title'
  | 'author'
  | 'authorDesc'
  | 'description'
  | 'body'
  | 'quotes'
  | 'categories'
  | 'goals'
  | 'tags'
  | 'free'
  | 'isPopular'
  | 'comingSoon'
  | 'published'
  | 'publishAt'
  | 'year'
  | 'subid'
>;

export const valuesOf = (book: Written): Values => ({
  title: book.title,
  author: book.author,
  year: book.year === null ? '' : String(book.year),
  authorDesc: book.authorDesc,
  description: book.description,
  categories: book.categories.map(String),
  goals: book.goals.map(String),
  tags: book.tags,
  subid: book.subid,
  body: book.body,
  quotes: book.quotes.map(({ text, chapter }) => (chapter ? `${text} | ${chapter}` : text)).join('\n'),
  ...publicationValues(book),
  free: book.free,
  isPopular: book.isPopular,
  comingSoon: book.comingSoon,
});

export const NEW_BOOK: Values = {
  title: '',
  author: '',
  year: '',
  authorDesc: '',
  description: '',
  categories: [],
  goals: [],
  tags: [],
  body: '',
  quotes: '',
  state: 'draft',
  publishAt: '',
  free: false,
  isPopular: false,
  comingSoon: false,
};

export const loadedOf = (book: BookDetail): Loaded => ({ values: valuesOf(book), version: book.version, by: book.updatedBy });

const quotesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.split('|'))
    .map(([quote = '', ...rest]) => {
      const chapter = rest.join('|').trim();
      return { text: quote.trim(), ...(chapter !== '' && { chapter }) };
    })
    .filter(({ text: quote }) => quote !== '');

/** The body of the calls that add and change a book. */
export function changeOf(values: Values, version: number | null): BookChange {
  const year = textOf(values, 'year').trim();
  const subid = textOf(values, 'subid').trim();
  return {
    title: textOf(values, 'title').trim(),
    author: textOf(values, 'author').trim(),
    authorDesc: textOf(values, 'authorDesc').trim(),
    description: textOf(values, 'description').trim(),
    body: textOf(values, 'body'),
    quotes: quotesOf(textOf(values, 'quotes')),
    categories: listOf(values, 'categories').map(Number),
    goals: listOf(values, 'goals').map(Number),
    tags: [...listOf(values, 'tags')],
    free: isOn(values, 'free'),
    isPopular: isOn(values, 'isPopular'),
    comingSoon: isOn(values, 'comingSoon'),
    ...publicationForm(values),
    year: year === '' ? null : Number(year),
    ...(subid !== '' && { subid }),
    ...(version !== null && { version }),
  };
}
