import type { Page } from '@playwright/test';
import { expect } from './watch';

/**
 * Waits until the app has drawn the page and nothing is fetched (`ReadyMarker.tsx`). Before that the server's text may stand there, or
 * a visitor's answer, and a press or a key would go to what is about to be replaced.
 */
export const appReady = (page: Page): Promise<void> => expect(page.locator('html')).toHaveAttribute('data-app', 'ready');
