import { viewer } from '@/api/queryClient';
import { PictureToShare } from '@/shared/picture/PictureToShare';
import { loadPicture, pictureText } from '@/shared/study/highlights/pictureFile';
import type { Highlight } from '@/shared/study/records';
import { Dialog } from '@/ui/Dialog';
import '@/shared/study/highlights/highlights.css';

interface Props {
  highlight: Highlight;
  onClose: () => void;
}

/** A highlight as a picture to share. */
export function HighlightPicture({ highlight, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} title="Share as a picture" className="highlight-picture">
      <PictureToShare
        queryKey={[viewer(), 'highlight-picture', highlight.id]}
        load={(signal) => loadPicture(highlight, signal)}
        alt={pictureText(highlight)}
        title={highlight.title}
      />
    </Dialog>
  );
}
