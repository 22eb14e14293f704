// Sign-in with an account of a provider (identity.provider-flow).
import { call } from '@/api/client';
import { site } from '@/lib/site';
import { storeRedirect } from '@/shared/session/signIn';
import { gobackFor } from '@/paths';

const NAMES = { google: 'Google', apple: 'Apple', facebook: 'Facebook', linkedin: 'LinkedIn' } as const;

export type Provider = keyof typeof NAMES;

export const isProvider = (name: string | null): name is Provider => name !== null && name in NAMES;

/** The provider's display name, 'Google'. */
export const providerName = (provider: Provider): string => NAMES[provider];

/** The configured providers, in the site's order. */
export const providers = (): Provider[] => site.providers.filter(isProvider);

/**
 * Starts a sign-in, or with `account` a connection: stores the redirect target and returns the URL of this
 * site that redirects to the provider's page (identity.goback-target).
 */
export async function beginProviderSignIn(provider: Provider, origin: 'login' | 'signup' | 'account', target: string | null): Promise<string> {
  storeRedirect(target);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const query = { origin, timezone: timeZone, ...(target && { redirect: target }) };
  const { url } = await (provider === 'google'
    ? call('GET /api/google/login/oauth', { query })
    : call('GET /api/{name}/oauth', { path: { name: provider }, query }));
  return gobackFor(url, target);
}

/** The parameters of a provider's redirect back to this site. */
export interface ProviderReturn {
  provider: Provider;
  /** `code` and `state`, or `error` and `state`, which the server validates. */
  query: Partial<Record<'code' | 'state' | 'error' | 'iss', string>>;
}

/** The parameters of a provider's redirect in a URL; null when the URL is none. */
export function providerReturn(params: URLSearchParams): ProviderReturn | null {
  const provider = params.get('type');
  if (!isProvider(provider) || !(params.has('code') || (params.has('error') && params.has('state')))) return null;
  const query: ProviderReturn['query'] = {};
  for (const name of ['code', 'state', 'error', 'iss'] as const) {
    const value = params.get(name);
    if (value !== null) query[name] = value;
  }
  return { provider, query };
}

/** Exchanges a provider's code for a token; `token` is null when the provider was connected to the signed-in account. */
export const exchangeProviderCode = ({ provider, query }: ProviderReturn) =>
  provider === 'google' ? call('GET /api/google/login/oauth/callback', { query }) : call('GET /api/{name}/oauth/callback', { path: { name: provider }, query });
