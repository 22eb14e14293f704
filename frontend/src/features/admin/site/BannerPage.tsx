import { useState } from 'react';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { RowFacts } from '@/features/admin/content/RowFacts';
import { ROUTES, paths } from '@/features/admin/paths';
import { forStaff } from '@/features/admin/queries';
import { BANNER_FIELDS, bannerForm, bannerState, loadedBanner } from '@/features/admin/site/forms';
import { bannerQuery } from '@/features/admin/site/queries';
import { formatMoment } from '@/lib/format';
import type { CustomControl } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';

export const loader = () => forStaff(() => queryClient.query(bannerQuery()));

/** A preview of the banner with the typed text. Its link does nothing here. */
const preview: CustomControl = ({ values }) => (
  <figure className="banner-preview" aria-label="Preview">
    <figcaption className="field__label">Preview</figcaption>
    <div className="banner">
      <p className="banner__text">
        {textOf(values, 'text') || 'What the banner says.'}{' '}
        <span className="banner__link banner-preview__link">{textOf(values, 'linkText') || 'Its link'}</span>
      </p>
    </div>
  </figure>
);

const CONTROLS = { preview };

/** /admin/banner: the offer above every page, and the period in which it is shown. */
export function Component() {
  const [now] = useState(() => Date.now());
  return (
    <EditRecord
      title={ROUTES.adminBanner.title}
      back={{ to: paths.admin, label: 'Back office' }}
      missing="There is no banner."
      query={bannerQuery()}
      fields={BANNER_FIELDS}
      controls={CONTROLS}
      loadedOf={loadedBanner}
      save={async (values, version) => (await call('PUT /api/admin/banner', { body: bannerForm(values, version) })).banner}
      success="The banner was updated."
      submitLabel="Update banner"
      aside={(banner) => (
        <RowFacts
          title="This banner"
          row={banner}
          facts={[
            ['Status', bannerState(banner, now)],
            ...(banner.from === null ? [] : [['From', formatMoment(banner.from)] as const]),
            ...(banner.until === null ? [] : [['Until', formatMoment(banner.until)] as const]),
          ]}
        />
      )}
    />
  );
}
