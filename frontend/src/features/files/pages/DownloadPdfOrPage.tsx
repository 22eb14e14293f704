import '@/features/files/files.css';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { accountQuery } from '@/api/account';
import { useSignedIn } from '@/api/session';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** /download-pdf-or/{id}/{title}: choose your package, the PDF of one book or everything (back-office.md §2, decisions.md 30). */
export function Component() {
  const { id = '', title = '' } = useParams();
  useTitle('Download PDF');
  const signedIn = useSignedIn();
  const { data: user } = useQuery({ ...accountQuery(), enabled: signedIn });
  const book = title === '' ? 'this summary' : `“${title}”`;
  return (
    <div className="page page--text file-choice">
      <h1 className="page__title">Choose your package</h1>
      {user?.isPaid ? (
        <>
          <p className="page__lead">The PDF of {book} is part of your plan.</p>
          <LinkButton kind="primary" large to={paths.downloadPdf(id, title)}>
            PDF
          </LinkButton>
        </>
      ) : (
        <>
          <p className="page__lead">Keep {book} as a file, or read every summary there is.</p>
          <ul className="file-choice__cards">
            <li className="file-choice__card">
              <h2>One book</h2>
              <p>The summary of {book} as a PDF, set for print. It is yours for good.</p>
              <LinkButton large to={paths.payment(`book-${id}`)}>
                PDF
              </LinkButton>
            </li>
            <li className="file-choice__card file-choice__card--all">
              <h2>Everything</h2>
              <p>All summaries to read, to listen to, to watch, to download and to send to your e-reader.</p>
              <LinkButton kind="primary" large to={paths.try}>
                Upgrade
              </LinkButton>
            </li>
          </ul>
        </>
      )}
      <LinkButton kind="quiet" to={paths.book(id)}>
        Back to the summary
      </LinkButton>
    </div>
  );
}
