import { callFile } from '@/api/client';
import { viewer } from '@/api/queryClient';
import { figureText, figuresOf } from '@/features/reading-progress/progress/year';
import type { YearOfReading } from '@/features/reading-progress/progress/year';
import { useNearView } from '@/lib/useNearView';
import { PictureToShare } from '@/shared/picture/PictureToShare';

async function loadPicture(year: string, signal: AbortSignal): Promise<File> {
  const { blob } = await callFile('GET /api/user/years/{year}/picture', { path: { year }, signal });
  return new File([blob], `${year}-in-reading.png`, { type: 'image/png' });
}

/** The year as a picture to share. It is drawn when the member comes near it. */
export function YearPicture({ data }: { data: YearOfReading }) {
  const { ref, isNear } = useNearView<HTMLElement>();
  const year = String(data.year);
  return (
    <section className="section year-picture" aria-labelledby="picture" ref={ref}>
      <div className="year-picture__text">
        <h2 className="section__title" id="picture">
          {`Your ${year} as a picture`}
        </h2>
        <p className="year-picture__hint">For a message, or to keep. Your name is not on it.</p>
      </div>
      <PictureToShare
        queryKey={[viewer(), 'year-picture', year]}
        load={(signal) => loadPicture(year, signal)}
        wanted={isNear}
        alt={`${year} in reading: ${figuresOf(data).map(figureText).join(', ')}.`}
        title={`${year} in reading`}
      />
    </section>
  );
}
