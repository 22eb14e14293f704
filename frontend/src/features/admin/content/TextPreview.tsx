import { PreviewDialog } from '@/features/admin/components/PreviewDialog';
import { Prose } from '@/ui/Prose';
import { textOf } from '@/ui/records/fields';
import type { Values } from '@/ui/records/fields';

interface Props {
  /** 'post' */
  kind: string;
  values: Values;
  /** The field with the text. */
  text: string;
  onClose: () => void;
}

/** Previews a post or an episode as it is typed. */
export function TextPreview({ kind, values, text, onClose }: Props) {
  const html = textOf(values, text);
  return (
    <PreviewDialog label={`Preview of the ${kind}`} title={textOf(values, 'title')} note={textOf(values, 'author')} onClose={onClose}>
      <p>{textOf(values, 'description')}</p>
      {html === '' ? <p className="preview__wall">There is no text yet.</p> : <Prose html={html} />}
    </PreviewDialog>
  );
}
