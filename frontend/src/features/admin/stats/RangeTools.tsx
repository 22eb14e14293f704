import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { PRESETS, presetQuery, rangeText } from '@/features/admin/stats/range';
import type { Preset, Range } from '@/features/admin/stats/range';
import { Checkbox } from '@/ui/Check';
import { TextField } from '@/ui/Field';
import { Segmented } from '@/ui/Segmented';

/** Controls for the date range and, where offered, the comparison with the previous period; both are stored in the URL. */
export function RangeTools({ range, before, today }: { range: Range; before?: { from: string; to: string }; today: string }) {
  const [search, setSearch] = useSearchParams();
  const isCompared = search.get('compare') !== 'off';
  const change = (days: Record<string, string>, compare = isCompared) => {
    const next = new URLSearchParams(search);
    for (const key of ['days', 'from', 'to', 'compare']) next.delete(key);
    for (const [key, value] of Object.entries(days)) next.set(key, value);
    if (!compare) next.set('compare', 'off');
    setSearch(next, { replace: true });
  };
  const days = range.preset === null ? { from: range.from, to: range.to } : presetQuery(range.preset);
  return (
    <>
      <Segmented<Preset | 'own'>
        legend="Days"
        name="days"
        options={[...PRESETS, ...(range.preset === null ? [{ value: 'own' as const, label: 'Custom' }] : [])]}
        value={range.preset ?? 'own'}
        onChange={(value) => {
          if (value !== 'own') change(presetQuery(value));
        }}
      />
      <div className="stats__days">
        <DayField label="From" day={range.from} min="2000-01-01" max={range.to} onDay={(from) => change({ from, to: range.to })} />
        <DayField label="To" day={range.to} min={range.from} max={today} onDay={(to) => change({ from: range.from, to })} />
      </div>
      {before ? <Checkbox label={`Compare with ${rangeText(before)}`} checked={isCompared} onChange={({ target }) => change(days, target.checked)} /> : null}
    </>
  );
}

/** A date field. Typed text takes effect once it is a date within the limits. */
function DayField({ label, day, min, max, onDay }: { label: string; day: string; min: string; max: string; onDay: (day: string) => void }) {
  const [typed, setTyped] = useState(day);
  const [known, setKnown] = useState(day);
  if (day !== known) {
    setKnown(day);
    setTyped(day);
  }
  return (
    <TextField
      label={label}
      type="date"
      min={min}
      max={max}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.value >= min && target.value <= max) onDay(target.value);
      }}
      onBlur={() => setTyped(day)}
    />
  );
}
