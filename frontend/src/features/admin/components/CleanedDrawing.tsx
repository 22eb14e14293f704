import { useQuery } from '@tanstack/react-query';
import type { ResultOf } from '@/api/types';
import { upload } from '@/api/upload';
import { Alert } from '@/ui/Alert';

const cleaned = async (file: File, signal: AbortSignal) =>
  (await upload('/api/admin/drawings/clean', { file, onProgress: () => undefined, signal })) as ResultOf<'POST /api/admin/drawings/clean'>;

/** A chosen SVG as it would be stored, with what is removed of it (catalogue.svg-cleaning). */
export function CleanedDrawing({ file }: { file: File }) {
  const { data, error } = useQuery({
    queryKey: ['cleaned-drawing', file.name, file.size, file.lastModified],
    queryFn: ({ signal }) => cleaned(file, signal),
    retry: false,
  });
  if (error) return <Alert kind="warning">{error.message}</Alert>;
  if (!data) return <p className="upload__note">Checking the drawing</p>;
  return (
    <figure className="upload__preview">
      <img className="upload__now" src={`data:image/svg+xml,${encodeURIComponent(data.svg)}`} alt="The drawing as it is stored" />
      <figcaption className="upload__note">
        {data.removed.length === 0
          ? 'The drawing is stored as you see it.'
          : `The drawing is stored as you see it. Removed, because it could run, load or link to something: ${data.removed.join(', ')}.`}
      </figcaption>
    </figure>
  );
}
