import { chooseTheme } from '@/shared/reader/theme';
import type { Theme } from '@/shared/reader/theme';
import type { TypeSettings } from '@/shared/reader/typeSettings';
import { useTheme } from '@/shared/reader/useTheme';
import { useFontSize } from '@/shared/reader/useFontSize';
import { useTypeSettings } from '@/shared/reader/useTypeSettings';
import { Segmented } from '@/ui/Segmented';

const SIZES = [
  { value: '1', label: 'Small' },
  { value: '2', label: 'Medium' },
  { value: '3', label: 'Large' },
] as const;

/** The backgrounds: sepia is the light theme on tinted paper. */
const GROUNDS: readonly { value: Theme | 'sepia'; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'sepia', label: 'Sepia' },
  { value: 'dark', label: 'Dark' },
];

const FACES: readonly { value: TypeSettings['face']; label: string }[] = [
  { value: 'serif', label: 'Serif' },
  { value: 'sans', label: 'Sans' },
  { value: 'dyslexic', label: 'Dyslexic' },
];

const LEADINGS: readonly { value: TypeSettings['leading']; label: string }[] = [
  { value: 'tight', label: 'Tight' },
  { value: 'normal', label: 'Normal' },
  { value: 'loose', label: 'Loose' },
];

const MARGINS: readonly { value: TypeSettings['margins']; label: string }[] = [
  { value: 'narrow', label: 'Narrow' },
  { value: 'normal', label: 'Normal' },
  { value: 'wide', label: 'Wide' },
];

/** The reader's display options: size, theme, typeface, line height, margins. */
export function DisplayOptions() {
  const [fontSize, , setFontSize] = useFontSize();
  const theme = useTheme();
  const [type, chooseType] = useTypeSettings();
  return (
    <>
      <div>
        <h3 className="reader-options__title">Font size</h3>
        <Segmented
          legend="Font size"
          name="font-size"
          options={SIZES}
          value={SIZES[fontSize - 1]?.value ?? '1'}
          onChange={(value) => setFontSize(value === '3' ? 3 : value === '2' ? 2 : 1)}
        />
      </div>
      <div>
        <h3 className="reader-options__title">Theme</h3>
        <Segmented
          legend="Theme"
          name="theme"
          options={GROUNDS}
          value={theme === 'light' && type.ground === 'sepia' ? 'sepia' : theme}
          onChange={(ground) => {
            chooseTheme(ground === 'dark' ? 'dark' : 'light');
            if (ground !== 'dark') chooseType({ ground: ground === 'sepia' ? 'sepia' : 'paper' });
          }}
        />
      </div>
      <details>
        <summary className="disclosure">More type settings</summary>
        <div className="reader-options__type">
          <div>
            <h3 className="reader-options__title">Face</h3>
            <Segmented legend="Face" name="face" options={FACES} value={type.face} onChange={(face) => chooseType({ face })} />
          </div>
          <div>
            <h3 className="reader-options__title">Line height</h3>
            <Segmented legend="Line height" name="leading" options={LEADINGS} value={type.leading} onChange={(leading) => chooseType({ leading })} />
          </div>
          <div>
            <h3 className="reader-options__title">Margins</h3>
            <Segmented legend="Margins" name="margins" options={MARGINS} value={type.margins} onChange={(margins) => chooseType({ margins })} />
          </div>
        </div>
      </details>
    </>
  );
}
