// Chunks that are loaded before they are used. A loaded chunk renders at once; `lazy` would show its fallback first.
import { useEffect, useState } from 'react';

export interface Chunk<Module> {
  /** Loads the chunk unless it is loaded. Returns `failed` when that fails; the next call tries again. */
  load: () => Promise<Module>;
  /** Null until the chunk is loaded. */
  loaded: () => Module | null;
}

/** `failed`: the module that takes the chunk's place when it could not be loaded. */
export function chunkOf<Module extends object>(fetchChunk: () => Promise<Module>, failed: Module): Chunk<Module> {
  let loaded: Module | null = null;
  return {
    load: async () => {
      try {
        return (loaded ??= await fetchChunk());
      } catch {
        return failed;
      }
    },
    loaded: () => loaded,
  };
}

/** The chunk's module; null until it is loaded. Loading begins when it is `wanted`; after a failure, again when `attempt` changes. */
export function useChunk<Module extends object>(chunk: Chunk<Module>, wanted = true, attempt = 0): Module | null {
  const [module, setModule] = useState(chunk.loaded);
  useEffect(() => {
    if (!wanted) return;
    let isLeft = false;
    void chunk.load().then((arrived) => {
      if (!isLeft) setModule(arrived);
    });
    return () => {
      isLeft = true;
    };
  }, [chunk, wanted, attempt]);
  return module;
}
