import { Alert } from '@/ui/Alert';

/** Shown in place of a component whose chunk could not be loaded. */
export function ChunkLoadError() {
  return <Alert kind="warning">This part could not be loaded. Please check your connection and reload the page.</Alert>;
}

/** The module to return when an `import()` fails. */
export const chunkLoadError = () => ({ default: ChunkLoadError });
