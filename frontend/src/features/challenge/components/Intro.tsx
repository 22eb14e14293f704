import { Link } from 'react-router';
import { ROUTES, loginFor, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';

const PROMISES = [
  { title: 'Choose one or two goals', text: 'What you would like to get better at in ten days.' },
  { title: 'Get ten summaries', text: 'One for each day, picked for your goals, best match first.' },
  { title: 'Read fifteen minutes a day', text: 'A day is done when you finish its summary.' },
] as const;

interface Props {
  signedIn: boolean;
  problem: string | null;
  onStart: () => void;
}

/** The first step: explains the challenge. */
export function Intro({ signedIn, problem, onStart }: Props) {
  return (
    <div className="page challenge challenge--intro">
      {problem === null ? null : <Alert kind="warning">{problem}</Alert>}
      <p className="challenge__kicker">A free challenge</p>
      <h1 className="challenge__title">{ROUTES.tenDayChallenge.title}</h1>
      <p className="page__lead">Ten days, ten great books, about fifteen minutes a day.</p>
      <ol className="challenge__promises">
        {PROMISES.map(({ title, text }) => (
          <li key={title} className="challenge__promise">
            <h2 className="challenge__promise-title">{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <div className="challenge__actions">
        <Button kind="primary" large onClick={onStart}>
          Start the Challenge
        </Button>
        {signedIn ? null : (
          <Link className="link challenge__login" to={loginFor(paths.tenDayChallenge)}>
            Already started? Log in to continue
          </Link>
        )}
      </div>
    </div>
  );
}
