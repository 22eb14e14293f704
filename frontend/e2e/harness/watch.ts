import { test as base, expect } from '@playwright/test';

/** Every test fails on an error in the console: a script that threw, a policy that was broken, a file that was not there. */
export const test = base.extend<{ quiet: { allow: (pattern: RegExp) => void } }>({
  quiet: [
    async ({ page }, use) => {
      const heard: string[] = [];
      const allowed: RegExp[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') heard.push(`${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => heard.push(error.message));
      await use({ allow: (pattern) => allowed.push(pattern) });
      expect(heard.filter((line) => !allowed.some((pattern) => pattern.test(line)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
