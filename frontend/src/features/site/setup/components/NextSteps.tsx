import { useEffect, useState } from 'react';
import { waitForRestart } from '@/features/site/setup/restart';
import type { SetupContent } from '@/features/site/setup/queries';
import { useStepHeading } from '@/lib/useStepHeading';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Icon } from '@/ui/Icon';

export interface FinishedSetup {
  /** The site's name, which this page was not loaded with yet. */
  name: string;
  content: SetupContent;
  /** The server starts again under its new name. */
  restarts: boolean;
}

const STEPS = [
  { href: paths.signInMethods, label: 'Set up a second factor', note: 'The back office asks for one when you log in the next time.' },
  { href: paths.admin, label: 'Open the back office', note: 'Books, members, payments and emails are managed there.' },
  { href: paths.front, label: 'See the site', note: 'The front page as every visitor sees it.' },
] as const;

/** What comes after the setup. Its links load the page whole, because the site may have another name by then. */
export function NextSteps({ name, content, restarts }: FinishedSetup) {
  const [state, setState] = useState<'restarting' | 'late' | 'ready'>(restarts ? 'restarting' : 'ready');
  useEffect(() => {
    if (!restarts) return;
    const wait = new AbortController();
    void waitForRestart(wait.signal).then((ready) => {
      if (!wait.signal.aborted) setState(ready ? 'ready' : 'late');
    });
    return () => wait.abort();
  }, [restarts]);
  if (state === 'restarting') return <Restarting name={name} />;
  return (
    <div className="page setup setup--narrow">
      <Heading>{`${name} is set up`}</Heading>
      <p className="page__lead">You are logged in as its first admin.</p>
      {state === 'late' ? <Alert kind="warning">The server has not started again yet. If a page does not open, try again in a minute.</Alert> : null}
      {content === 'demo' ? <Alert>The books are being loaded. They appear within a few minutes.</Alert> : null}
      <h2 className="setup__title">What is next</h2>
      <ul className="setup__steps">
        {STEPS.map(({ href, label, note }) => (
          <li key={href}>
            <a className="setup__step" href={href}>
              <span>
                <span className="setup__step-label">{label}</span>
                <span className="setup__step-note">{note}</span>
              </span>
              <Icon name="chevronRight" />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Restarting({ name }: { name: string }) {
  return (
    <div className="page setup setup--narrow">
      <Heading>One moment</Heading>
      <p className="page__lead" role="status">{`The server starts again as ${name}. This takes a few seconds.`}</p>
    </div>
  );
}

/** The heading of the page that replaces the form: it takes the focus. */
function Heading({ children }: { children: string }) {
  const heading = useStepHeading();
  return (
    <h1 className="page__title" ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
