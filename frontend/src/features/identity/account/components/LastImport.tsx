import { figureTexts, isUnderWay } from '@/features/identity/account/accountImport';
import type { AccountImport } from '@/features/identity/account/accountImport';
import { formatDay } from '@/lib/format';
import { Section } from '@/shared/account/Section';
import { Alert } from '@/ui/Alert';

interface Props {
  last: AccountImport;
  /** Entries wait for their books. */
  isWaiting: boolean;
}

/** What came of the last import. `hasEnded`: it ended while the page was open, which is announced. */
export function LastImport({ last, isWaiting, hasEnded }: Omit<Props, 'last'> & { last: AccountImport | null; hasEnded: boolean }) {
  return (
    <>
      <div role="status">
        {last && isUnderWay(last) ? (
          <p>
            {last.isRetry ? 'We are looking for your books.' : 'Your archive is being imported. You can leave this page. Come back to see what was imported.'}
          </p>
        ) : null}
        {last?.state === 'done' && hasEnded ? <p className="visually-hidden">{endText({ last, isWaiting })}</p> : null}
      </div>
      {last === null ? <p className="setting__note">You have not imported an archive yet.</p> : null}
      {last?.state === 'failed' ? <Failure last={last} /> : null}
      {last?.state === 'done' ? <Figures last={last} isWaiting={isWaiting} /> : null}
    </>
  );
}

/** In place of figures, when there are none. */
function nothingText({ last, isWaiting }: Props): string {
  if (!last.isRetry) return 'There was nothing to import in this archive.';
  return isWaiting ? 'None of these books is here yet.' : 'Nothing waits for a book now.';
}

function endText({ last, isWaiting }: Props): string {
  if (!last.isRetry) return 'Your archive has been imported.';
  return figureTexts(last).length > 0 ? 'We have looked for your books.' : nothingText({ last, isWaiting });
}

const dayOf = ({ requestedAt, doneAt }: AccountImport) => formatDay(doneAt ?? requestedAt);

/** What was imported before the failure stays. */
function Failure({ last }: { last: AccountImport }) {
  return (
    <Section id="last-import" title={`Import of ${dayOf(last)}`}>
      <Alert kind="warning">
        <p>{last.error}</p>
        <p>What had been read before that is in your account. {last.isRetry ? 'You can look again.' : 'You can import the archive again.'}</p>
      </Alert>
    </Section>
  );
}

function Figures({ last, isWaiting }: Props) {
  const texts = figureTexts(last);
  return (
    <Section id="last-import" title={`${last.isRetry ? 'Looked again' : 'Imported'} on ${dayOf(last)}`}>
      {texts.length > 0 ? (
        <ul className="account-import__figures" aria-labelledby="last-import-title">
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : (
        <p className="setting__note">{nothingText({ last, isWaiting })}</p>
      )}
    </Section>
  );
}
