import { useState } from 'react';
import type { ReactNode } from 'react';
import { Dialog } from '@/ui/Dialog';
import { Segmented } from '@/ui/Segmented';

const SCREENS = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
] as const;

interface Props {
  /** The accessible name: 'Preview of the book'. */
  label: string;
  title: string;
  /** Below the title: the author. */
  note: string;
  /** Choices beside that of the screen. */
  tools?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** Previews what is typed, saved or not, on a phone and on a desktop. */
export function PreviewDialog({ label, title, note, tools, children, onClose }: Props) {
  const [shown, setShown] = useState<(typeof SCREENS)[number]['value']>('desktop');
  return (
    <Dialog open title="Preview" className="dialog--preview" onClose={onClose}>
      <div className="preview__tools">
        {tools}
        <Segmented legend="Screen" name="screen" options={SCREENS} value={shown} onChange={setShown} />
      </div>
      <article className={`preview__frame preview__frame--${shown}`} aria-label={label}>
        <p className="preview__title">{title}</p>
        <p className="admin__note">{note}</p>
        {children}
      </article>
    </Dialog>
  );
}
