import '@/features/reading-progress/listening/speeds.css';
import { SPEEDS } from '@/features/reading-progress/listening/model';

/** All speeds side by side. */
export function SpeedChoices({ rate, onChoose }: { rate: number; onChoose: (rate: number) => void }) {
  return (
    <ul className="speeds" aria-label="Speed">
      {SPEEDS.map((speed) => (
        <li key={speed}>
          <button type="button" className="speeds__choice tabular" aria-pressed={speed === rate} onClick={() => onChoose(speed)}>
            {`${speed}×`}
          </button>
        </li>
      ))}
    </ul>
  );
}
