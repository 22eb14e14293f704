import type { RefObject } from 'react';
import { Link } from 'react-router';
import type { Book } from '@/api/types';
import { chooseTheme } from '@/domain/theme';
import { useTheme } from '@/domain/useTheme';
import { ListenIcon } from '@/features/reading/components/ListenButton';
import { useFontSize } from '@/features/reading/useFontSize';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';

interface Props {
  bar: RefObject<HTMLDivElement | null>;
  book: Book;
  member: number | null;
  /** The page has no header: the link that leaves the book is here. */
  bare: boolean;
  index: number;
  total: number;
  /** The last section with text. */
  lastText: number;
  /** The section at which the book opened. */
  start: number;
  onTurn: (index: number) => void;
  onPanel: (panel: 'contents' | 'options') => void;
}

/** The reader's menu: sections, contents, listening, font size, options, theme. */
export function ReaderBar({ bar, book, member, bare, index, total, lastText, start, onTurn, onPanel }: Props) {
  const [fontSize, cycleFontSize] = useFontSize();
  const theme = useTheme();
  return (
    <div className="reader__bar" ref={bar} role="group" aria-label="Reader menu">
      <div className="reader__bar-side">
        {bare ? (
          <Link className="icon-button reader__leave" to={member === null ? paths.books : paths.home} aria-label="Leave the book" title="Leave the book">
            <Icon name="close" />
          </Link>
        ) : null}
        <IconButton className="reader__step" icon="chevronLeft" label="Previous section" disabled={index === 0} onClick={() => onTurn(index - 1)} />
        <IconButton icon="contents" label="Contents" aria-haspopup="dialog" onClick={() => onPanel('contents')} />
      </div>
      <p className="reader__bar-title">
        <span className="reader__bar-book">{book.title}</span> <span className="tabular">{`${index + 1}/${total}`}</span>
      </p>
      <div className="reader__bar-side reader__bar-side--end">
        <ListenIcon book={book} member={member} section={Math.min(index, lastText)} opened={start} />
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
