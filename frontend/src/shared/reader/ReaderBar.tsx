import type { ReactNode, RefObject } from 'react';
import { chooseTheme } from '@/shared/reader/theme';
import { useTheme } from '@/shared/reader/useTheme';
import { useFontSize } from '@/shared/reader/useFontSize';
import { IconButton } from '@/ui/IconButton';

interface Props {
  bar: RefObject<HTMLDivElement | null>;
  title: string;
  index: number;
  total: number;
  /** The link that leaves the reader, on pages without a header. */
  leave?: ReactNode;
  /** Other controls. */
  children?: ReactNode;
  onTurn: (index: number) => void;
  onPanel: (panel: 'contents' | 'options') => void;
}

/** The reader's toolbar: sections, contents, font size, options, theme. */
export function ReaderBar({ bar, title, index, total, leave, children, onTurn, onPanel }: Props) {
  const [fontSize, cycleFontSize] = useFontSize();
  const theme = useTheme();
  return (
    <div className="reader__bar" ref={bar} role="group" aria-label="Reader menu">
      <div className="reader__bar-side">
        {leave}
        <IconButton className="reader__step" icon="chevronLeft" label="Previous section" disabled={index === 0} onClick={() => onTurn(index - 1)} />
        <IconButton icon="contents" label="Contents" aria-haspopup="dialog" onClick={() => onPanel('contents')} />
      </div>
      <p className="reader__bar-title">
        <span className="reader__bar-book">{title}</span> <span className="tabular">{`${index + 1}/${total}`}</span>
      </p>
      <div className="reader__bar-side reader__bar-side--end">
        {children}
        <IconButton icon="letter" label={`Font size ${fontSize} of 3`} onClick={cycleFontSize} />
        <IconButton icon="options" label="Options" aria-haspopup="dialog" onClick={() => onPanel('options')} />
        <IconButton
          icon={theme === 'dark' ? 'sun' : 'moon'}
          label="Dark mode"
          aria-pressed={theme === 'dark'}
          onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
        />
        <IconButton className="reader__step" icon="chevronRight" label="Next section" disabled={index === total - 1} onClick={() => onTurn(index + 1)} />
      </div>
    </div>
  );
}
