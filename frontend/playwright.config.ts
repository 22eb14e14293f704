// Browser tests against the real server: e2e/harness/serve.mjs gives it a database of its own and ends both.
//
// PITH_BIN            the server's program (default: the debug build)
// TEST_DATABASE_URL   a Postgres in which databases may be made
// CHROME_PATH         a Chromium of the system; without it Playwright's own
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { freePort } from './e2e/harness/server';

// Workers read this file again: the first choice is handed on to them.
process.env['E2E_PORT'] ??= String(await freePort());
// The server's folder, in which the tests find its outbox.
process.env['E2E_HOME'] ??= mkdtempSync(path.join(tmpdir(), 'pith-e2e-'));
// A name, not an address: passkeys belong to a domain, and browsers trust this one without TLS.
const base = `http://localhost:${process.env['E2E_PORT']}`;
// Of the providers in place of Google, Apple and LinkedIn, and one on which nothing listens.
const providerPorts = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
const chromium = process.env['CHROME_PATH'];

export default defineConfig({
  testDir: './e2e',
  outputDir: './test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // What fails is run once more at the end, alone and with a trace (xtask/src/test/schedule.rs).
  retries: 0,
  // A busy machine is slow, not wrong: what is waited for comes within this, or does not come at all.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    baseURL: base,
    viewport: { width: 1440, height: 900 },
    // Its requests pass by what a test puts in the network's place. The tests of offline use allow it.
    serviceWorkers: 'block',
    launchOptions: { args: ['--no-sandbox'], ...(chromium && { executablePath: chromium }) },
  },
  webServer: {
    command: 'node e2e/harness/serve.mjs',
    env: { E2E_PROVIDER_PORTS: providerPorts.join(',') },
    url: `${base}/readyz`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
