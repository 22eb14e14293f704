import { Icon } from '@/ui/Icon';

/** Why an entry could not be removed, shown beside the button that retries. */
export function LibraryError({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="removal-error" role="alert">
      <Icon name="warning" />
      <span>{text}</span>
    </p>
  );
}
