// The reader, and the places that it saves.
import type { Page, Request } from '@playwright/test';
import { appReady } from './ready';

/** Where the reader is: '2/10'. The server's page has one for each section; the app, which takes over, has one. */
export const place = (page: Page) => page.locator('.reader__place').first();

/** The reader itself, in place of the text that came with the page. */
export const reader = (page: Page) => page.getByRole('group', { name: 'Reader menu' });

/** What a save says. */
export interface Said {
  position: number;
  completed: boolean;
  at: number;
  sent: number;
}

export const isSave = (request: Request): boolean => request.method() === 'PUT' && request.url().includes('/api/user-book-history');

/** Turns by a key, and waits until the server has the new place: a save of the section before may be acknowledged meanwhile. */
export async function turn(page: Page, key: 'ArrowRight' | 'ArrowLeft' = 'ArrowRight'): Promise<void> {
  await appReady(page);
  const here = Number((await place(page).innerText()).split('/')[0]) - 1;
  const next = here + (key === 'ArrowRight' ? 1 : -1);
  const answer = page.waitForResponse(
    (response) => isSave(response.request()) && response.ok() && (response.request().postDataJSON() as Said).position === next,
  );
  await page.keyboard.press(key);
  await answer;
}
