import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { Notices } from '@/features/study/settings/components/Notices';
import { studySettingsQuery } from '@/shared/study/settings';
import type { StudySettings } from '@/shared/study/settings';
import { Toaster } from '@/ui/toast';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleStudySettings } from '@test/study';

/** The server's key in base64url, and another. */
const KEY = 'BPk_-w';
const OTHER = 'BAAA';
const KEYS = { p256dh: 'a-key', auth: 'a-secret' };

let settings: StudySettings;
/** The bodies of saved settings, and of the calls about this browser, in order. */
let saved: unknown[];
let told: unknown[];
let isSubscribed: boolean;
let browsers: number;

function Part() {
  const { data } = useQuery(studySettingsQuery());
  return data ? <Notices settings={data} /> : null;
}

function show(more: Partial<StudySettings> = {}) {
  settings = sampleStudySettings(more);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Part />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  session.start('token');
  saved = [];
  told = [];
  isSubscribed = false;
  browsers = 0;
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ timezone: 'America/New_York' }) })),
    on('GET /api/study/settings', () => ({ settings })),
    on('PUT /api/study/settings', ({ body }) => {
      saved.push(body);
      settings = { ...settings, ...(body as Partial<StudySettings>) };
      return { settings };
    }),
    on('GET /api/study/push', () => ({ key: KEY, isSubscribed, browsers })),
    on('PUT /api/study/push', ({ body }) => {
      told.push(body);
      browsers += isSubscribed ? 0 : 1;
      isSubscribed = true;
      return {};
    }),
    on('DELETE /api/study/push', () => {
      told.push('ended');
      browsers -= 1;
      isSubscribed = false;
      return {};
    }),
  );
});
afterEach(() => {
  session.end('left');
  vi.unstubAllGlobals();
  delete (navigator as unknown as Record<string, unknown>)['serviceWorker'];
});

const bytesOf = (key: string) => Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)).buffer;

interface BrowserOptions {
  /** What the member answers when the browser asks. */
  answer?: NotificationPermission;
  /** The key of the subscription that there is. */
  key?: string;
  /** Whether the push service can be reached. */
  reached?: boolean;
  /** Whether workers are allowed. */
  workers?: boolean;
}

/** A browser that can show push messages; `keys` are those that it was subscribed with, in order. */
function stubBrowser({ answer = 'granted', key, reached = true, workers = true }: BrowserOptions = {}) {
  const keys: string[] = [];
  const notification = {
    permission: key === undefined ? 'default' : 'granted',
    requestPermission: vi.fn(() => Promise.resolve((notification.permission = answer))),
  };
  const subscriptionWith = (own: string) => ({
    options: { applicationServerKey: bytesOf(own) },
    toJSON: () => ({ endpoint: `https://push.example/${own}`, keys: KEYS }),
    unsubscribe: vi.fn(() => {
      subscription = null;
      return Promise.resolve(true);
    }),
  });
  let subscription = key === undefined ? null : subscriptionWith(key);
  const pushManager = {
    getSubscription: () => Promise.resolve(subscription),
    subscribe: ({ applicationServerKey, userVisibleOnly }: { applicationServerKey: string; userVisibleOnly: boolean }) => {
      expect(userVisibleOnly).toBe(true);
      if (!reached) return Promise.reject(new DOMException('push service error', 'AbortError'));
      keys.push(applicationServerKey);
      subscription = subscriptionWith(applicationServerKey);
      return Promise.resolve(subscription);
    },
  };
  const registration = { pushManager };
  const found = workers ? registration : undefined;
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: () => Promise.resolve(found), register: () => Promise.resolve(found), ready: Promise.resolve(registration) },
  });
  vi.stubGlobal('PushManager', vi.fn());
  vi.stubGlobal('Notification', notification);
  return { keys, notification, subscription: () => subscription };
}

const choice = (name: string) => screen.findByRole('radio', { name });
const choose = async (name: string) => userEvent.click(await choice(name));
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('the reminder of due cards (study.due-reminder)', () => {
  it('is off at first, and comes by email when that is chosen', async () => {
    show();
    expect(screen.queryByLabelText('Hour')).toBeNull();
    expect(await screen.findByRole('group', { name: 'Remind me of due cards' })).toBeVisible();
    expect(screen.getByText('On days on which cards are due and you have not reviewed any yet.')).toBeVisible();
    await choose('By email');
    await waitFor(() => expect(saved).toEqual([{ reminder: 'mail' }]));
    expect(await choice('By email')).toBeChecked();
  });

  it('has an hour in the member’s time zone, which is that of the mails too', async () => {
    show({ digest: 'weekly', noticeHour: 7 });
    const hour = await screen.findByLabelText('Hour');
    expect(hour).toHaveDisplayValue('At 07:00');
    await waitFor(() => expect(hour).toHaveAccessibleDescription('Your time zone is America/New York. Change it'));
    expect(screen.getByRole('link', { name: 'Change it' })).toHaveAttribute('href', '/account#time-zone');
    await userEvent.selectOptions(hour, 'At 21:00');
    await waitFor(() => expect(saved).toEqual([{ noticeHour: 21 }]));
    await userEvent.click(screen.getByRole('radio', { name: 'Off', checked: false }));
    await waitFor(() => expect(screen.queryByLabelText('Hour')).toBeNull());
  });
});

describe('the mail of highlights (study.highlight-digest)', () => {
  it('comes daily or weekly', async () => {
    show();
    expect(await screen.findByText('Five each day, or ten each Monday. Each highlight has its turn before one comes again.')).toBeVisible();
    await choose('Daily');
    await waitFor(() => expect(saved).toEqual([{ digest: 'daily' }]));
    expect(screen.getByLabelText('Hour')).toBeVisible();
  });
});

describe('the reminder by notification (study.push-messages)', () => {
  it('is chosen once the browser is allowed to show it and has subscribed', async () => {
    const browser = stubBrowser();
    show();
    await choose('By notification');
    expect(await screen.findByText('This browser shows them')).toBeVisible();
    expect(browser.keys).toEqual([KEY]);
    expect(told).toEqual([{ endpoint: `https://push.example/${KEY}`, keys: KEYS }]);
    expect(saved).toEqual([{ reminder: 'push' }]);
    expect(await choice('By notification')).toBeChecked();
  });

  it.each(['denied', 'default'] as const)('is not chosen when the permission is %s, and the page says why', async (answer) => {
    const browser = stubBrowser({ answer });
    show({ reminder: 'mail' });
    await choose('By notification');
    expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was changed, because this browser does not allow notifications. Allow them for Quire');
    expect(await choice('By email')).toBeChecked();
    expect([saved, told, browser.keys]).toEqual([[], [], []]);
    // Another choice takes the message away.
    await userEvent.click(screen.getAllByRole('radio', { name: 'Off' })[0] as HTMLElement);
    await waitFor(() => expect(saved).toEqual([{ reminder: 'off' }]));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is not chosen in a browser without notifications, which is offered email', async () => {
    show();
    await choose('By notification');
    expect(await screen.findByRole('alert')).toHaveTextContent('This browser can’t show notifications. You can get the reminder by email.');
    expect(saved).toEqual([]);
    expect(screen.getAllByRole('radio', { name: 'Off', checked: true })).toHaveLength(2);
  });

  it('is not chosen in a browser that allows no service worker', async () => {
    stubBrowser({ workers: false });
    show();
    await choose('By notification');
    expect(await screen.findByRole('alert')).toHaveTextContent('This browser can’t show notifications.');
    expect(saved).toEqual([]);
  });

  it('is not chosen when the push service can’t be reached', async () => {
    stubBrowser({ reached: false });
    show();
    await choose('By notification');
    expect(await screen.findByRole('alert')).toHaveTextContent('This browser could not turn notifications on.');
    expect([saved, told]).toEqual([[], []]);
  });

  it('shows why the server refused this browser', async () => {
    stubBrowser();
    server.use(on('PUT /api/study/push', () => failure(422, 'validation_failed', 'This browser can’t show notifications.', { field: 'endpoint' })));
    show();
    await choose('By notification');
    expect(await screen.findByRole('alert')).toHaveTextContent('This browser can’t show notifications.');
    expect(saved).toEqual([]);
  });

  it('is turned on in another browser by a press', async () => {
    browsers = 2;
    stubBrowser();
    show({ reminder: 'push' });
    expect(await screen.findByText('This browser shows none')).toBeVisible();
    expect(screen.getByText('2 other browsers of yours do.')).toBeVisible();
    await press('Turn on here');
    expect(await screen.findByText('This browser shows them')).toBeVisible();
    expect(told).toHaveLength(1);
    expect(saved).toEqual([]);
  });

  it('is turned off in this browser alone', async () => {
    [isSubscribed, browsers] = [true, 1];
    const browser = stubBrowser({ key: KEY });
    show({ reminder: 'push' });
    await press('Turn off here');
    expect(await screen.findByText('This browser shows none')).toBeVisible();
    expect(screen.getByText('No other browser of yours does either.')).toBeVisible();
    expect(told).toEqual(['ended']);
    expect(browser.subscription()).toBeNull();
    expect(settings.reminder).toBe('push');
  });

  it('subscribes again when the server has another key now', async () => {
    [isSubscribed, browsers] = [true, 1];
    const browser = stubBrowser({ key: OTHER });
    const before = browser.subscription();
    show({ reminder: 'push' });
    expect(await screen.findByText('This browser shows none')).toBeVisible();
    await press('Turn on here');
    expect(await screen.findByText('This browser shows them')).toBeVisible();
    expect(before?.unsubscribe).toHaveBeenCalledOnce();
    expect(browser.keys).toEqual([KEY]);
  });

  it('says why it could not be turned on here', async () => {
    stubBrowser({ answer: 'denied' });
    show({ reminder: 'push' });
    await press('Turn on here');
    expect(await screen.findByRole('alert')).toHaveTextContent('does not allow notifications');
    expect(screen.getByText('This browser shows none')).toBeVisible();
  });
});
