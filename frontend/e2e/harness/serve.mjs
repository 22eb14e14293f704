// Runs the server for the browser tests: a new database, the demo content, a folder that goes away with it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startProviders } from './providers.mjs';
import { addRecordings } from './recordings.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const program = process.env.PITH_BIN ?? path.join(root, 'target/debug/pith');
const admin = process.env.TEST_DATABASE_URL;
const port = process.env.E2E_PORT;

if (!admin) fail('TEST_DATABASE_URL is missing: a Postgres in which databases may be made. `cargo xtask test browser` brings one.');
if (!existsSync(program)) fail(`There is no server at ${program}: build it (cargo build -p server) or set PITH_BIN.`);

const name = `pith_e2e_${process.pid}_${Date.now()}`;
// The tests read the outbox in it: they say where it is.
const home = process.env.E2E_HOME ?? (await mkdtemp(path.join(tmpdir(), 'pith-e2e-')));
await onAdmin(`CREATE DATABASE ${name}`);
const site = `http://localhost:${port}`;
const ports = process.env.E2E_PROVIDER_PORTS?.split(',');
const providers = ports && (await startProviders(site, ports));

// A site that nobody has set up yet (admin.setup-page): no content, and the log in a file, which has the link of the setup page.
const isNewSite = process.env.E2E_NEW_SITE === 'on';
const production = {
  PITH_PROFILE: 'production',
  PITH_SECRET: randomBytes(32).toString('hex'),
  STRIPE_SECRET_KEY: 'sk_test_e2e',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_e2e',
  STRIPE_WEBHOOK_SECRET: 'whsec_e2e',
  LOG_FORMAT: 'text',
};

const env = {
  ...process.env,
  ...providers?.env,
  DATABASE_URL: databaseUrl(name),
  PITH_HOME: home,
  PITH_PROFILE: 'demo',
  BIND: '127.0.0.1',
  PORT: port,
  PUBLIC_URL: site,
  SOCIAL_LINKS: 'Mastodon=https://social.example/@pith',
  STORE_LINKS: 'App Store=https://apps.example/pith',
  DRAIN_SECONDS: '2',
  LOG: 'warn',
  // A busy machine makes tests slow, never a refusal.
  DATABASE_WAIT_MS: '20000',
  // Many people come from one address here.
  RATE_LIMITS: 'off',
  // Tests count members and orders of their own.
  DEMO_YEAR: 'off',
  // No voice of this machine: recordings come with the tests.
  SPEECH: 'off',
  ...(isNewSite && production),
};
if (isNewSite) delete env.RATE_LIMITS;
let server = null;
let over = false;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void end(0));

for (const command of isNewSite ? ['migrate'] : ['migrate', 'seed']) {
  const code = await new Promise((resolve) => run(command).once('exit', resolve));
  if (code !== 0) await end(1);
}
// Tests that need time to have passed find it here (support/database.ts).
await writeFile(path.join(home, 'database-url'), env.DATABASE_URL);
if (!isNewSite) {
  // Half of the first charge, for as long as the tests run.
  await onDatabase(env.DATABASE_URL, (client) => client.query("INSERT INTO coupons (code, percent, starts_at) VALUES ('HALF', 50, now())"));
  await onDatabase(env.DATABASE_URL, (client) => addRecordings(client, home, { audio: ['meditations', 'walden'], video: ['walden'] }));
}
server = run('serve', isNewSite ? openSync(path.join(home, 'log'), 'a') : 'inherit');
server.once('exit', (code) => void end(code ?? 1));

function run(command, log = 'inherit') {
  const child = spawn(program, [command], { cwd: root, stdio: ['ignore', 'ignore', log], env });
  child.once('error', (error) => fail(error.message));
  return child;
}

async function end(code) {
  if (over) return;
  over = true;
  if (server && server.exitCode === null && server.signalCode === null) {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await gone;
  }
  await providers?.stop();
  await onAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch((error) => console.error(error.message));
  await rm(home, { recursive: true, force: true });
  process.exit(code);
}
function databaseUrl(database) {
  const url = new URL(admin);
  url.pathname = `/${database}`;
  return url.href;
}

async function onAdmin(sql) {
  await onDatabase(admin, (client) => client.query(sql));
}

async function onDatabase(connectionString, work) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
