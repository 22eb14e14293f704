import { useState } from 'react';
import { PreviewDialog } from '@/features/admin/components/PreviewDialog';
import { beginningOf } from '@/features/admin/books/previewText';
import { Prose } from '@/ui/Prose';
import { Segmented } from '@/ui/Segmented';
import { textOf } from '@/ui/records/fields';
import type { Values } from '@/ui/records/fields';

const VIEWERS = [
  { value: 'visitor', label: 'Visitor' },
  { value: 'free', label: 'Free' },
  { value: 'paid', label: 'Paid' },
] as const;

type Viewer = (typeof VIEWERS)[number]['value'];

const AFTER: Readonly<Record<Viewer, string | null>> = {
  visitor: 'A visitor can read up to here and is then asked to log in.',
  free: 'With a free summary left, a member reads all of it; without one, as much as a visitor.',
  paid: null,
};

/** Previews the typed text, saved or not, as a visitor, a free and a paid member see it, on a phone and on a desktop. */
export function BookPreview({ values, onClose }: { values: Values; onClose: () => void }) {
  const [viewer, setViewer] = useState<Viewer>('visitor');
  const body = textOf(values, 'body');
  const isOpen = viewer !== 'visitor' || values['free'] === true;
  const after = values['free'] === true ? null : AFTER[viewer];
  return (
    <PreviewDialog
      label="Preview of the book"
      title={textOf(values, 'title')}
      note={textOf(values, 'author')}
      tools={<Segmented legend="Read by" name="viewer" options={VIEWERS} value={viewer} onChange={setViewer} />}
      onClose={onClose}
    >
      {values['comingSoon'] === true ? (
        <p className="preview__wall">Coming soon: only the description is shown. {textOf(values, 'description')}</p>
      ) : body === '' ? (
        <p className="preview__wall">There is no body yet.</p>
      ) : (
        <>
          <Prose html={isOpen ? body : beginningOf(body)} />
          {after ? <p className="preview__wall">{after}</p> : null}
        </>
      )}
    </PreviewDialog>
  );
}
