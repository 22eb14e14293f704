import { site } from '@/api/site';

/** Where to write when one needs help. */
export function Support() {
  return (
    <a className="link auth__address" href={`mailto:${site.supportEmail}`}>
      {site.supportEmail}
    </a>
  );
}
