import { Alert } from '@/ui/Alert';

/** Stands in for a part of the page whose chunk could not be loaded. */
function ChunkLoadError() {
  return <Alert kind="warning">This part could not be loaded. Please check your connection and load the page again.</Alert>;
}

/** The module to use when an `import()` fails. */
export const chunkLoadError = () => ({ default: ChunkLoadError });
