import { Link } from 'react-router';

interface Props {
  files: readonly { label: string; to: string; there: boolean }[];
}

/** A record's files: whether each exists, with a link to the page that uploads it. */
export function FileLinks({ files }: Props) {
  return (
    <section className="admin__panel" aria-labelledby="files">
      <h2 className="admin__panel-title" id="files">
        Files
      </h2>
      <dl className="facts">
        {files.map(({ label, to, there }) => (
          <div key={to} className="facts__row">
            <dt>
              <Link className="link" to={to}>
                {label}
              </Link>
            </dt>
            <dd>{there ? 'Uploaded' : <span className="data-table__faint">None</span>}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
