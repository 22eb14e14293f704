import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { DAILY_MAX_RANGE, isDailyMax } from '@/shared/study/dailyMax';
import { QuantityField } from '@/ui/QuantityField';

/** How long the number has to stay the same before it is saved, in milliseconds: the step buttons are pressed several times. */
const SAVE_DELAY = 600;

/** The server's message (study.daily-maximum). */
const OUT_OF_RANGE = 'Choose from 5 to 200 cards a day.';

interface Props {
  saved: number;
  /** Saves the number. When that fails, `onFailed` is called: with the server's reason when it refuses the number, else with null. */
  onSave: (max: number, onFailed: (refusal: string | null) => void) => void;
}

/** How many cards a day asks at most. It is saved after a while, when the field is left, and with the page. */
export function DailyMax({ saved, onSave }: Props) {
  /** The text in the field since it was changed; null: it was not. */
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  /** The number to save. */
  const waiting = useRef<number | null>(null);
  const save = () => {
    const max = waiting.current;
    waiting.current = null;
    if (max === null || max === saved) return;
    onSave(max, (refusal) => {
      if (refusal === null) setTyped(null);
      else setError(refusal);
    });
  };
  const saveNow = useEffectEvent(save);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => saveNow(), SAVE_DELAY);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    const onHide = () => saveNow();
    window.addEventListener('pagehide', onHide);
    return () => {
      window.removeEventListener('pagehide', onHide);
      saveNow();
    };
  }, []);
  return (
    <QuantityField
      label="Cards a day"
      value={typed ?? String(saved)}
      {...DAILY_MAX_RANGE}
      error={error}
      onChange={(text) => {
        setTyped(text);
        setError(null);
        const max = Number(text);
        waiting.current = isDailyMax(max) ? max : null;
      }}
      onBlur={() => {
        if (typed === null) return;
        if (!isDailyMax(Number(typed))) setError(OUT_OF_RANGE);
        else if (Number(typed) === saved) setTyped(null);
        save();
      }}
    />
  );
}
