// Calls that the server has tomorrow: this file goes when `cargo xtask codegen` writes them into schema.gen.ts.
import '@/api/schema.gen';

interface Never {
  get?: never;
  put?: never;
  post?: never;
  delete?: never;
}
interface Answer {
  responses: { 200: { content: { 'application/json': { result: Record<string, never> } } } };
}
interface Archive {
  responses: { 200: { content: { 'application/zip': string } } };
}

declare module '@/api/schema.gen' {
  interface paths {
    '/api/user/delete': Omit<Never, 'post'> & { post: Answer & { requestBody: { content: { 'application/json': { why: string; how: string } } } } };
    '/api/user/archive': Omit<Never, 'get' | 'post'> & { get: Archive; post: Answer };
    '/api/user/archive/download': Omit<Never, 'post'> & { post: Archive & { requestBody: { content: { 'application/json': { code: string } } } } };
  }
}
