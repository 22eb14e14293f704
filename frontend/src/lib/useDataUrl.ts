import { useEffect, useState } from 'react';

/** A file as a data URL, which the content security policy allows for pictures; null while it is read. */
export function useDataUrl(file: File | null): string | null {
  const [read, setRead] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => setRead({ file, url: typeof reader.result === 'string' ? reader.result : '' });
    reader.readAsDataURL(file);
    return () => {
      reader.onload = null;
    };
  }, [file]);
  return read !== null && read.file === file ? read.url : null;
}
