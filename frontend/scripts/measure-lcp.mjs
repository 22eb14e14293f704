/* global measured, location -- the functions that run in the page */
// Measures the largest contentful paint of a page that a signed-in member opens again on a phone, by a full navigation: 4 times
// slower CPU, 1.6 Mbit/s down, 150 ms round trip, with the HTTP cache and the service worker of earlier visits. Prints each run, then
// the median.
//
//   BASE_URL=http://localhost:4000 CHROME_PATH=chromium npm run lcp -- [path] [runs]
//
// COLD=1 measures without the cache and the worker, DETAILS=1 prints files and long tasks, SCREENSHOT=FILE saves what was seen.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';

const site = process.env.BASE_URL ?? 'http://localhost:4000';
const page = process.argv[2] ?? '/books/walden';
const runs = Number(process.argv[3] ?? 5);
const member = { username: process.env.MEMBER ?? 'paid@example.com', password: process.env.PASSWORD ?? 'pith-demo-2026' };

const profile = await mkdtemp(path.join(tmpdir(), 'pith-lcp-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROME_PATH,
  args: ['--no-sandbox'],
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
});

try {
  const first = await browser.newPage();
  await first.goto(site + '/login');
  const { result } = await (await first.request.post(site + '/api/user/login', { data: member })).json();
  await first.evaluate((token) => {
    localStorage.setItem('token', token);
    localStorage.setItem('tokenDate', String(Date.now()));
  }, result.token);
  await open(first);
  await first.evaluate(() => navigator.serviceWorker.ready);
  await open(first);
  await first.close();

  const results = [];
  for (let run = 0; run < runs; run += 1) {
    results.push(await measure());
    console.log(JSON.stringify(results.at(-1)));
  }
  const times = results.map(({ lcp }) => lcp).sort((a, b) => a - b);
  console.log(`LCP: median ${times[Math.floor(times.length / 2)]} ms, ${times[0]} to ${times.at(-1)} ms`);
} finally {
  await browser.close();
  await rm(profile, { recursive: true, force: true });
}

async function open(tab) {
  await tab.goto(site + page);
  await tab.locator('html[data-app="ready"]').waitFor();
  await tab.waitForLoadState('networkidle');
}

async function measure() {
  const tab = await browser.newPage();
  const devtools = await browser.newCDPSession(tab);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  });
  if (process.env.COLD) {
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devtools.send('Network.setBypassServiceWorker', { bypass: true });
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await tab.addInitScript(() => {
    globalThis.measured = { lcp: [], cls: 0, tasks: [] };
    new PerformanceObserver((list) => {
      for (const { startTime, size, element, url } of list.getEntries())
        measured.lcp.push({
          at: Math.round(startTime),
          size,
          is: `${element?.tagName ?? ''}.${element?.className ?? ''} in ${element?.parentElement?.className ?? ''}`,
          url: url || undefined,
        });
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) measured.cls += shift.value;
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) measured.tasks.push([Math.round(startTime), Math.round(duration)]);
    }).observe({ type: 'longtask', buffered: true });
  });
  await open(tab);
  if (process.env.SCREENSHOT) await tab.screenshot({ path: process.env.SCREENSHOT });
  const seen = await tab.evaluate(() => {
    const { lcp, cls, tasks } = measured;
    const [{ responseEnd, workerStart, transferSize }] = performance.getEntriesByType('navigation');
    const files = performance.getEntriesByType('resource');
    const fetched = files.filter((file) => file.transferSize > 0);
    return {
      lcp: lcp.at(-1)?.at,
      paints: lcp,
      fcp: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
      html: Math.round(responseEnd),
      worker: Math.round(workerStart),
      cls: Math.round(cls * 1000) / 1000,
      requests: fetched.length + 1,
      bytes: fetched.reduce((sum, file) => sum + file.transferSize, transferSize),
      tasks,
      files: files.map(
        (file) => `${file.name.replace(location.origin, '')} ${Math.round(file.startTime)}-${Math.round(file.responseEnd)} ${file.transferSize}`,
      ),
    };
  });
  await tab.close();
  if (!process.env.DETAILS) {
    delete seen.tasks;
    delete seen.files;
  }
  return seen;
}
