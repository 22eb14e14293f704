// The site's settings, which the server embeds in each page; available before the app starts.

export interface SiteInfo {
  /** The product's name (`SITE_NAME`). The app's texts take it from here. */
  name: string;
  publicUrl: string;
  supportEmail: string;
  supportPhone: string;
  year: number | string;
  social: { name: string; url: string }[];
  stores: { name: string; url: string }[];
  banner: { text: string; linkText: string; href: string } | null;
  /** Payments are simulated; every checkout page says so. */
  sandbox: boolean;
  demo: boolean;
  /** The configured sign-in providers: 'google' and so on. */
  providers: string[];
  /** The origins of the providers' sign-in pages. */
  providerOrigins: string[];
  /** The widths in which the server stores an uploaded picture, in pixels. */
  pictureWidths: number[];
}

const UNKNOWN: SiteInfo = {
  name: '',
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
  pictureWidths: [],
};

/** The JSON that the server embedded in the element with this id; null when there is none. */
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
