import '@/features/catalogue/books.css';
import '@/features/catalogue/discovery.css';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryString } from '@/api/client';
import { isNotFound, messageOf } from '@/api/errors';
import { useSignedIn } from '@/api/session';
import type { BooksQuery } from '@/api/types';
import { loadList } from '@/shared/catalogue/pagedLists';
import { BookList, omitKeys } from '@/features/catalogue/components/BookList';
import type { Segment } from '@/features/catalogue/components/BookList';
import { booksQuery, collectionQuery, readBooksQuery, refuseUnreadable } from '@/features/catalogue/queries';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { BackLink } from '@/ui/BackLink';
import { NotFound } from '@/ui/NotFound';

/** The sort orders of book lists, with their button labels (catalogue.book-lists). */
const SEGMENTS: readonly { value: Segment; label: string }[] = [
  { value: 'new', label: 'Latest' },
  { value: 'trending', label: 'Popular' },
  { value: 'ab', label: 'A–Z' },
  { value: 'audio', label: 'Audio' },
  { value: 'video', label: 'Video' },
];
/** The pseudo tag for all books. */
const ALL = 'all';

const segmentOf = (text: string | undefined) => SEGMENTS.find(({ value }) => value === text)?.value;

function queryOf(sort: Segment, tag: string, params: URLSearchParams): BooksQuery {
  return { ...omitKeys(readBooksQuery(params), 'q', 'tag'), sort, ...(tag !== ALL && { tag }) };
}

export const loader = ({ request, params }: LoaderFunctionArgs) => {
  const { searchParams } = new URL(request.url);
  refuseUnreadable(searchParams);
  const sort = segmentOf(params['sort']);
  return sort ? loadList(booksQuery(queryOf(sort, params['tag'] ?? ALL, searchParams))) : null;
};

export function Component() {
  useSignedIn();
  const { sort, tag = ALL } = useParams();
  const [params] = useSearchParams();
  const segment = segmentOf(sort);
  if (!segment) return <NotFound what="There is no such list." to={paths.books} label="Show all summaries" />;
  return <List segment={segment} tag={tag} query={queryOf(segment, tag, params)} />;
}

function List({ segment, tag, query }: { segment: Segment; tag: string; query: BooksQuery }) {
  const navigate = useNavigate();
  // A new sort order keeps the list's title while the books load.
  const list = useInfiniteQuery({
    ...booksQuery(query),
    placeholderData: (before, last) =>
      last && nameGivers(new URLSearchParams(String(last.queryKey[2]))) === nameGivers(new URLSearchParams(queryString(query))) ? before : undefined,
  });
  const id = query.collection === undefined ? '' : String(query.collection);
  const collection = useQuery({ ...collectionQuery(id), enabled: id !== '' }).data?.collection;
  const first = list.data?.pages[0];
  const title = collection?.title ?? titleOf(tag, query, first);
  const missing = isNotFound(list.error);
  useTitle(missing ? undefined : title);
  if (missing) return <NotFound what={messageOf(list.error)} to={paths.books} label="Show all summaries" />;
  return (
    <div className="page books">
      {query.collection === undefined ? null : (
        <BackLink className="collection__back" to={paths.collections}>
          Back to collections
        </BackLink>
      )}
      <h1 className="page__title booklist__title">{title}</h1>
      <BookList
        query={query}
        segments={SEGMENTS}
        heading="Summaries"
        onChange={(next) => {
          const search = queryString(omitKeys(next, 'sort', 'tag'));
          void navigate(paths.booklist(next.sort ?? segment, tag) + (search && `?${search}`), { preventScrollReset: true });
        }}
      />
    </div>
  );
}

interface First {
  books: readonly { author: string; tags: readonly string[] }[];
  categories: readonly { id: number; subid: string; name: string }[];
}

/** The parameters of a query that determine the list's title. */
const nameGivers = (params: URLSearchParams) => ['tag', 'author', 'category'].map((name) => params.get(name) ?? '').join('&');

/** The list's title, from the most specific filter. */
function titleOf(tag: string, query: BooksQuery, first: First | undefined): string {
  if (tag !== ALL) return first?.books.flatMap(({ tags }) => tags).find((name) => slugOf(name) === tag) ?? tag.replaceAll('-', ' ');
  const author = query.author ? first?.books[0]?.author : undefined;
  const category = first?.categories.find(({ id, subid }) => query.category === subid || query.category === String(id));
  return author ?? category?.name ?? 'All summaries';
}

/** The slug of a tag. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');
