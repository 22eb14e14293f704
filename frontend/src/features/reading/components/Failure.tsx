import { Icon } from '@/ui/Icon';

/** Why an entry that was taken out is here again, beside the button that tries it once more. */
export function Failure({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="take-out-failure" role="alert">
      <Icon name="warning" />
      <span>{text}</span>
    </p>
  );
}
