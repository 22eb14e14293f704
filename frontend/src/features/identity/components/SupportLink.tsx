import { site } from '@/lib/site';

/** A link to the support e-mail address. */
export function SupportLink() {
  return (
    <a className="link auth__address" href={`mailto:${site.supportEmail}`}>
      {site.supportEmail}
    </a>
  );
}
