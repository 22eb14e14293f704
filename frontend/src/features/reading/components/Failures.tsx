import { Alert } from '@/ui/Alert';

/** Why entries that were taken out are here again, each by itself. */
export function Failures({ of }: { of: ReadonlyMap<number, string> }) {
  return [...of].map(([id, text]) => (
    <div key={id} className="library__failure">
      <Alert kind="harm">{text}</Alert>
    </div>
  ));
}
