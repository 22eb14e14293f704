// Push messages in this browser (study.push-messages): what it can show, and its subscription.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import { site } from '@/lib/site';

/** How long to wait for a service worker that is being installed, in milliseconds. */
const PATIENCE = 20_000;

/** Why this browser shows no push messages; the message is for the member. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
}

const unsupported = () => new PushRefused('This browser can’t show notifications. You can get the reminder by email.');
const forbidden = () =>
  new PushRefused(`Nothing was changed, because this browser does not allow notifications. Allow them for ${site.name} in its settings, or choose email.`);
const failed = () => new PushRefused('This browser could not turn notifications on. Please try again later, or choose email.');

const canShowPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** The bytes of a key in base64url, as the server writes it. */
const base64url = (key: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(key)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** Whether a subscription is one for the server's key; it makes another when its secret changes. */
const isFor = (subscription: PushSubscription, key: string): boolean => {
  const own = subscription.options.applicationServerKey;
  return own !== null && base64url(own) === key;
};

/** The subscription of this browser; null when there is none. */
async function currentSubscription(): Promise<PushSubscription | null> {
  if (!canShowPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The active service worker, which is registered for it if it was not yet. */
async function activeWorker(): Promise<ServiceWorkerRegistration> {
  // A browser that is configured to block workers may resolve with undefined.
  const registered: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  if (!registered) throw unsupported();
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(failed()), PATIENCE));
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** Subscribes at the browser's push service with the server's key; a subscription with another key is replaced. */
async function subscriptionFor(key: string): Promise<PushSubscription> {
  const { pushManager } = await activeWorker();
  const now = await pushManager.getSubscription();
  if (now && isFor(now, key)) return now;
  await now?.unsubscribe();
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    throw failed();
  }
}

/** Whether this browser shows the member's push messages, and how many of their browsers do. */
export const pushQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'study-push'],
    queryFn: async ({ signal }) => {
      const { key, isSubscribed, browsers } = await call('GET /api/study/push', { signal });
      const subscription = isSubscribed ? await currentSubscription() : null;
      const isOn = subscription !== null && isFor(subscription, key) && Notification.permission === 'granted';
      return { isOn, others: browsers - Number(isSubscribed) };
    },
    retryOnMount: false,
  });

const reload = () => queryClient.invalidateQueries({ queryKey: pushQuery().queryKey });

/** Lets this browser show push messages, after it asked the member. Call it in the handler of a press. Throws {@link PushRefused}. */
export async function turnPushOn(): Promise<void> {
  if (!canShowPush()) throw unsupported();
  // Before any call: browsers only ask shortly after a press.
  if ((await Notification.requestPermission()) !== 'granted') throw forbidden();
  const { key } = await call('GET /api/study/push');
  const { endpoint, keys } = (await subscriptionFor(key)).toJSON();
  await call('PUT /api/study/push', { body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } } });
  await reload();
}

/** Ends the push messages in this browser. */
export async function turnPushOff(): Promise<void> {
  await call('DELETE /api/study/push');
  // The server sends nothing more, whatever the browser says.
  await (await currentSubscription())?.unsubscribe().catch(() => false);
  await reload();
}
