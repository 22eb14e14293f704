// The catalog for e-reader programs, as two of their parsers read it: in a session of a program, without a browser.
import { request } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import commonJs, { AcquisitionFeed, NavigationFeed, OPDSAcquisitionLink, OPDSArtworkLink, OPDSFeed, SearchLink } from 'opds-feed-parser';
import { Feed } from 'opds-ts/v1.2';
import { DEMO_PASSWORD, call } from '../harness/people';
import { expect, test } from '../harness/watch';

// Node.js gives the default export of a CommonJS package within its module.
const { default: OPDSParser } = commonJs as unknown as { default: typeof commonJs };

const EMAIL = 'paid@example.com';

/** A program that signs in by HTTP Basic, with an API token as the password. */
async function program(scope: string): Promise<APIRequestContext> {
  const api = await request.newContext();
  const { token } = await call<{ token: string }>(api, 'POST', '/api/user/login', { username: EMAIL, password: DEMO_PASSWORD });
  const { text } = await call<{ text: string }>(api, 'POST', '/api/user/tokens', { name: 'My e-reader', scopes: [scope] }, token);
  await api.dispose();
  const credentials = Buffer.from(`${EMAIL}:${text}`).toString('base64');
  return request.newContext({ extraHTTPHeaders: { Authorization: `Basic ${credentials}` } });
}

/** A feed as both parsers read it, which agree. */
async function read(api: APIRequestContext, url: string) {
  const response = await api.get(url);
  expect(response.status(), url).toBe(200);
  const text = await response.text();
  const parsed = await new OPDSParser().parse(text);
  if (!(parsed instanceof OPDSFeed)) throw new Error(`${url} is no feed`);
  const other = Feed.fromXml(text);
  expect(other.getTitle()).toBe(parsed.title);
  expect(other.getEntries().map((entry) => [entry.getTitle(), entry.getAuthor()])).toEqual(
    parsed.entries.map((entry) => [entry.title, entry.authors[0]?.name]),
  );
  expect(other.getEntries().map((entry) => entry.getLinks().map(({ href }) => href))).toEqual(
    parsed.entries.map((entry) => entry.links.map(({ href }) => href)),
  );
  return parsed;
}

test('two parsers read the catalog, and its links give books and covers (delivery.opds-catalog)', async ({ baseURL }) => {
  const api = await program('catalog:read');
  const root = await read(api, `${baseURL}/opds`);
  expect(root).toBeInstanceOf(NavigationFeed);
  expect(root.entries.map(({ title }) => title)).toEqual(['Continue reading', 'Your library', 'New', 'Categories']);
  const hrefOf = (feed: OPDSFeed, title: string) => feed.entries.find((entry) => entry.title === title)?.links[0]?.href ?? '';

  const books = await read(api, hrefOf(root, 'New'));
  expect(books).toBeInstanceOf(AcquisitionFeed);
  expect(books.entries.length).toBeGreaterThan(10);
  const [book] = books.entries;
  if (!book) throw new Error('There is no book.');
  expect(book.summary.content).not.toBe('');
  const files = book.links.filter((link) => link instanceof OPDSAcquisitionLink);
  expect(files.map(({ type }) => type)).toEqual(['application/epub+zip', 'application/pdf']);
  for (const { href, type } of files) {
    const file = await api.get(href);
    expect([file.status(), file.headers()['content-type']]).toEqual([200, type]);
  }
  const pictures = book.links.filter((link) => link instanceof OPDSArtworkLink);
  expect(pictures).toHaveLength(2);
  for (const { href, type } of pictures) {
    const picture = await api.get(href);
    expect([picture.status(), picture.headers()['content-type']]).toEqual([200, type]);
  }

  const categories = await read(api, hrefOf(root, 'Categories'));
  expect(categories).toBeInstanceOf(NavigationFeed);
  const philosophy = await read(api, hrefOf(categories, 'Philosophy'));
  expect(philosophy.entries.length).toBeGreaterThan(0);

  const search = root.links.find((link) => link instanceof SearchLink);
  const description = await (await api.get(search?.href ?? '')).text();
  const template = /template="([^"]+)"/.exec(description)?.[1] ?? '';
  const found = await read(api, template.replace('{searchTerms}', 'walden'));
  expect(found.entries[0]?.title).toBe('Walden');
  await api.dispose();
});

test('the same catalog as OPDS 2.0, and nothing without a token', async ({ baseURL }) => {
  const api = await program('catalog:read');
  interface OpdsJson {
    navigation?: { href: string; title: string; type: string }[];
    publications?: {
      metadata: { title: string; author: { name: string }[] };
      links: { rel: string; href: string; type: string }[];
      images: { href: string }[];
    }[];
  }
  const json = async (url: string) => {
    const response = await api.get(url);
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/opds+json']);
    return (await response.json()) as OpdsJson;
  };
  const root = await json(`${baseURL}/opds/2`);
  const url = root.navigation?.find(({ title }) => title === 'New')?.href ?? '';
  const [book] = (await json(url)).publications ?? [];
  const atom = await read(api, `${baseURL}/opds/new`);
  expect(book?.metadata.title).toBe(atom.entries[0]?.title);
  expect(book?.metadata.author[0]?.name).toBe(atom.entries[0]?.authors[0]?.name);
  for (const { rel, href } of book?.links ?? []) {
    if (rel === 'http://opds-spec.org/acquisition') expect((await api.get(href)).status()).toBe(200);
  }
  await api.dispose();

  const stranger = await request.newContext();
  const refused = await stranger.get(`${baseURL}/opds`);
  expect(refused.status()).toBe(401);
  expect(refused.headers()['www-authenticate']).toContain('Basic realm=');
  await stranger.dispose();
});
