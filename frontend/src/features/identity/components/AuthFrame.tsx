import '@/features/identity/identity.css';
import type { ReactNode } from 'react';
import { site } from '@/lib/site';
import { Icon } from '@/ui/Icon';

interface Props {
  title: string;
  subtitle?: ReactNode;
  /** The benefits shown beside the form. */
  promises?: readonly string[];
  children?: ReactNode;
}

/** The layout of the sign-in and recovery pages: the form, and the benefits beside it. */
export function AuthFrame({ title, subtitle, promises = [], children }: Props) {
  return (
    <div className="auth">
      <div className="auth__form">
        <h1 className="page__title" tabIndex={-1}>
          {title}
        </h1>
        {subtitle ? <p className="auth__subtitle">{subtitle}</p> : null}
        {children}
      </div>
      {promises.length > 0 ? (
        <aside className="auth__side" aria-label={`What ${site.name} gives you`}>
          <Slice />
          <ul className="auth__promises">
            {promises.map((promise) => (
              <li key={promise} className="auth__promise">
                <Icon name="check" />
                {promise}
              </li>
            ))}
          </ul>
        </aside>
      ) : (
        <div className="auth__side" aria-hidden="true">
          <Slice />
        </div>
      )}
    </div>
  );
}

/** The logo as decoration, cropped by the panel's edge. */
function Slice() {
  return (
    <svg className="auth__slice" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <circle className="mark__peel" cx="32" cy="32" r="32" />
      <circle className="mark__pith" cx="32" cy="32" r="28.5" />
      {[0, 60, 120, 180, 240, 300].map((turn) => (
        <path key={turn} className="mark__fruit" transform={`rotate(${turn} 32 32)`} d="M36.2 24.8 36.2 10.8A21.6 21.6 0 0 1 48.3 17.8Z" />
      ))}
    </svg>
  );
}
