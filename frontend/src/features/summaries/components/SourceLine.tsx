import { iconOf } from '@/features/summaries/sourceIcon';
import type { Summary } from '@/features/summaries/queries';
import { Icon } from '@/ui/Icon';

/** The source of a summary: the page's link, the file's name, or that it was pasted. Renders nothing when it equals the title. */
export function SourceLine({ source, title }: { source: Summary['source']; title: string }) {
  if (source.url === null && source.name === title) return null;
  return (
    <p className="source-line">
      <Icon name={iconOf(source)} />
      {source.url === null ? (
        <span>{source.name}</span>
      ) : (
        <a className="link" href={source.url} target="_blank" rel="noopener noreferrer">
          {source.name}
        </a>
      )}
    </p>
  );
}
