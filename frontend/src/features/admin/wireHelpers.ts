// Type helpers for calls that the server's description does not include yet.

/** A response: its `result`. */
interface Answer<Result> {
  responses: { 200: { content: { 'application/json': { result: Result } } } };
}
interface WithBody<Body> {
  requestBody: { content: { 'application/json': Body } };
}
interface WithQuery<Query> {
  parameters: { query?: Query };
}
interface WithPath<Key extends string> {
  parameters: { path: Record<Key, string> };
}

export type Get<Result, Query = undefined, Key extends string = never> = Answer<Result> &
  ([Query] extends [undefined] ? unknown : WithQuery<Query>) &
  ([Key] extends [never] ? unknown : WithPath<Key>);
export type Send<Result, Body, Key extends string = never> = Answer<Result> & WithBody<Body> & ([Key] extends [never] ? unknown : WithPath<Key>);
export type Remove<Key extends string> = Answer<object> & WithPath<Key>;
