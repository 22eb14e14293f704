// The shapes on the wire, by the names that the app uses. All of them come from schema.gen.ts, which the server's own
// description makes: nothing is written twice. Times are milliseconds since the epoch, ids positive integers.
import type { components, paths } from '@/api/schema.gen';

/** What may be null is optional in the description; in an answer it is always there (decisions.md, Shapes of the answers). */
type Told<T> = T extends readonly (infer Item)[]
  ? Told<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [Key in keyof T]-?: Told<T[Key]> }
    : T;

type Schemas = components['schemas'];

export type User = Told<Schemas['User']>;
export type CategoryRef = Told<Schemas['CategoryRef']>;
export type Category = Told<Schemas['Category']>;
export type BookCard = Told<Schemas['BookCard']>;
export type Book = Told<Schemas['Book']>;
export type Allowance = Told<Schemas['Allowance']>;
export type HistoryEntry = Told<Schemas['HistoryEntry']>;
export type Place = Told<Schemas['Place']>;
export type LibraryBook = Told<Schemas['LibraryBook']>;
export type Shelves = Told<Schemas['Shelves']>;
export type Progress = Told<Schemas['Progress']>;
export type SignedIn = Told<Schemas['SignedIn']>;
export type BooksResult = Told<Schemas['BooksResult']>;
export type AuthorsResult = Told<Schemas['AuthorsResult']>;
export type Collection = Told<Schemas['Collection']>;
export type SearchResult = Told<Schemas['SearchResult']>;

type Method = 'get' | 'post' | 'put' | 'delete';

/** 'GET /api/books' and so on: every call of the description. */
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

/** What a call takes. */
export type Given<Name extends CallName> = PathOf<Operation<Name>> & QueryOf<Operation<Name>> & BodyOf<Operation<Name>>;

/** What a call answers: the `result` of its success. */
export type ResultOf<Name extends CallName> =
  Operation<Name> extends { responses: { 200: { content: { 'application/json': { result: infer Result } } } } } ? Told<Result> : never;

export type BooksQuery = NonNullable<Given<'GET /api/books'>['query']>;
export type EventName = Given<'POST /api/events'>['body']['name'];
