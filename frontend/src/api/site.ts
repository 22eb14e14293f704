// What the server says about the site itself, in the page.

export interface SiteInfo {
  name: string;
  publicUrl: string;
  supportEmail: string;
  supportPhone: string;
  year: number | string;
  social: { name: string; url: string }[];
  stores: { name: string; url: string }[];
  banner: { text: string; linkText: string; href: string } | null;
  /** Payments are pretended: said on every page that takes money. */
  sandbox: boolean;
  demo: boolean;
  /** Who may vouch for a member here: 'google' and so on, those that are configured. */
  providers: string[];
  /** Where their pages are. */
  providerOrigins: string[];
}

const UNKNOWN: SiteInfo = {
  name: 'Pith',
  publicUrl: '',
  supportEmail: '',
  supportPhone: '',
  year: 2022,
  social: [],
  stores: [],
  banner: null,
  sandbox: false,
  demo: false,
  providers: [],
  providerOrigins: [],
};

/** A block of JSON that the server wrote into the page, or null. */
export function readBlock(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  if (!text) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

export const site: SiteInfo = { ...UNKNOWN, ...(readBlock('pith-site') as Partial<SiteInfo> | null) };
