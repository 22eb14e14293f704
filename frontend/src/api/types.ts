// The wire types, under the names that the app uses. All come from schema.gen.ts, generated from the server's OpenAPI
// description. Times are milliseconds since the epoch, ids positive integers.
import type { components, paths } from '@/api/schema.gen';

/** Makes nullable fields required: the description has them as optional, but responses always include them (api.field-names). */
type Complete<T> = T extends readonly (infer Item)[]
  ? Complete<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [Key in keyof T]-?: Complete<T[Key]> }
    : T;

type Schemas = components['schemas'];
type Method = 'get' | 'post' | 'put' | 'delete';

export type User = Complete<Schemas['User']>;
export type CategoryRef = Complete<Schemas['CategoryRef']>;
export type Category = Complete<Schemas['Category']>;
export type BookCard = Complete<Schemas['BookCard']>;
export type Book = Complete<Schemas['Book']>;
export type Allowance = Complete<Schemas['Allowance']>;
export type HistoryEntry = Complete<Schemas['HistoryEntry']>;
export type Place = Complete<Schemas['Place']>;
export type LibraryBook = Complete<Schemas['LibraryBook']>;
export type Shelves = Complete<Schemas['Shelves']>;
export type Progress = Complete<Schemas['Progress']>;
export type SignedIn = Complete<Schemas['SignedIn']>;
export type BooksResult = Complete<Schemas['BooksResult']>;
export type AuthorsResult = Complete<Schemas['AuthorsResult']>;
export type Collection = Complete<Schemas['Collection']>;
export type SearchResult = Complete<Schemas['SearchResult']>;

/** The name of a call: 'GET /api/books' and so on. */
export type CallName = {
  [Path in keyof paths]: {
    [M in Method]: paths[Path][M] extends object ? `${Uppercase<M>} ${Path}` : never;
  }[Method];
}[keyof paths];

type Operation<Name extends CallName> = Name extends `${infer Verb} ${infer Path}`
  ? Path extends keyof paths
    ? paths[Path][Lowercase<Verb> & Method]
    : never
  : never;

type PathOf<Op> = Op extends { parameters: { path: infer Given extends object } } ? { path: { [Key in keyof Given]: string } } : unknown;
type QueryOf<Op> = Op extends { parameters: { query?: infer Given } } ? ([Given] extends [undefined] ? unknown : { query?: NonNullable<Given> }) : unknown;
type BodyOf<Op> = Op extends { requestBody: { content: { 'application/json': infer Given } } }
  ? { body: Given }
  : Op extends { requestBody?: infer May }
    ? [NonNullable<May>] extends [never]
      ? unknown
      : NonNullable<May> extends { content: { 'application/json': infer Given } }
        ? { body?: NonNullable<Given> }
        : unknown
    : unknown;

/** The parameters and the body of a call. */
export type RequestOf<Name extends CallName> = PathOf<Operation<Name>> & QueryOf<Operation<Name>> & BodyOf<Operation<Name>>;

interface Json<Response> {
  content: { 'application/json': Response };
}

/** The `result` of a successful call, or the whole response when it has none. */
export type ResultOf<Name extends CallName> =
  Operation<Name> extends { responses: { 200: Json<infer Response> } | { 202: Json<infer Response> } }
    ? Complete<Response extends { result: infer Result } ? Result : Response>
    : never;

export type BooksQuery = NonNullable<RequestOf<'GET /api/books'>['query']>;
export type EventName = RequestOf<'POST /api/events'>['body']['name'];
