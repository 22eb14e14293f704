import { Suspense, lazy } from 'react';
import { SkeletonText } from '@/ui/Skeleton';
import type { RichTextProps } from '@/ui/records/RichText';

const RichText = lazy(() => import(/* webpackChunkName: "rich-text" */ '@/ui/records/RichText'));

/** The rich-text editor, loaded as a separate chunk. */
export function LazyRichText(props: RichTextProps) {
  return (
    <Suspense
      fallback={
        <div className="field" role="status">
          <span className="visually-hidden">Loading the editor</span>
          <SkeletonText width={90} />
          <SkeletonText width={70} />
        </div>
      }
    >
      <RichText {...props} />
    </Suspense>
  );
}
