import { useState } from 'react';
import { useFilterParams } from '@/lib/useFilterParams';
import { TextField } from '@/ui/Field';

/** A list's first or last day, stored in the URL. */
export function UrlDay({ label, name }: { label: string; name: string }) {
  const [search, change] = useFilterParams();
  const inUrl = search.get(name) ?? '';
  const [typed, setTyped] = useState(inUrl);
  const [known, setKnown] = useState(inUrl);
  if (inUrl !== known) {
    setKnown(inUrl);
    setTyped(inUrl);
  }
  const apply = (day: string) => {
    setTyped(day);
    if (day !== '' && day < '2000') return; // the year is still being typed
    change((next) => {
      if (day) next.set(name, day);
      else next.delete(name);
    });
  };
  return <TextField label={label} type="date" value={typed} onChange={({ target }) => apply(target.value)} />;
}
