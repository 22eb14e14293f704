import { useMutation } from '@tanstack/react-query';
import type { FileResponse } from '@/api/client';
import { messageOf } from '@/api/errors';
import { DownloadButton } from '@/features/admin/components/DownloadButton';
import { saveFile } from '@/lib/saveFile';
import { toast } from '@/ui/toast';

interface Props {
  /** What is downloaded, for screen readers. */
  about: string;
  /** Asks the server for the file. */
  ask: () => Promise<FileResponse>;
}

/** Downloads a list as a CSV file: all rows that match its filter, not only those that are loaded (admin.list-exports). */
export function ExportButton({ about, ask }: Props) {
  const asked = useMutation({
    mutationFn: ask,
    onSuccess: ({ blob, name }) => saveFile(blob, name),
    onError: (error) => toast(messageOf(error)),
  });
  return <DownloadButton about={about} busy={asked.isPending} onPress={() => asked.mutate()} />;
}
