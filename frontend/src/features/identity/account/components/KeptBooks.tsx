import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '@/api/errors';
import { isUnderWay, keptText, lookAgain, removeKept } from '@/features/identity/account/accountImport';
import type { AccountImport, KeptBook } from '@/features/identity/account/accountImport';
import { formatNumber } from '@/lib/format';
import { Section } from '@/shared/account/Section';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { toast } from '@/ui/toast';

/** How many books are shown at first. */
const FIRST = 20;

/** What is kept of books that are not here, until they are. It can't be changed while an import is under way, which can change it too. */
export function KeptBooks({ books, last }: { books: readonly KeptBook[]; last: AccountImport | null }) {
  const [asking, setAsking] = useState(false);
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const isBusy = isUnderWay(last);
  const isLooking = isBusy && last?.isRetry === true;
  const look = useMutation({ mutationFn: lookAgain });
  const remove = useMutation({
    mutationFn: removeKept,
    onSuccess: () => {
      setAsking(false);
      toast('Removed.');
    },
  });
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  const { reset } = look;
  // Once an import has ended, the message about the last press is out of date.
  useEffect(() => {
    if (!isBusy) reset();
  }, [last?.requestedAt, isBusy, reset]);
  const shown = all ? books : books.slice(0, FIRST);
  return (
    <Section
      id="kept"
      title="Books that are not here"
      lead="Your highlights, commitments and own cards of these books are in your account already. The rest waits until the books are here: press “Look again” to check."
    >
      <div className="form">
        {look.isError && !isLooking ? <Alert kind="warning">{messageOf(look.error)}</Alert> : null}
        <div className="setting__buttons">
          <Button busy={look.isPending || isLooking} busyText="Looking" aria-disabled={isBusy} onClick={() => look.mutate()}>
            Look again
          </Button>
          <Button kind="quiet" aria-disabled={isBusy} onClick={() => setAsking(true)}>
            Remove all
          </Button>
        </div>
        {/* Takes the focus from the button that shows all. */}
        <ul className="account__list" aria-labelledby="kept-title" ref={list} tabIndex={-1}>
          {shown.map(({ title, author, entries }) => (
            <li key={`${title}\n${author}`} className="account__entry">
              <div className="account__entry-text">
                <p className="account__entry-name">{title}</p>
                <p className="setting__note">{author}</p>
                <p className="setting__note">{keptText(entries)}</p>
              </div>
            </li>
          ))}
        </ul>
        {shown.length < books.length ? (
          <div className="setting__buttons">
            <Button
              kind="quiet"
              onClick={() => {
                setAll(true);
                list.current?.focus({ preventScroll: true });
              }}
            >
              {`Show all ${formatNumber(books.length)} books`}
            </Button>
          </div>
        ) : null}
      </div>
      <Dialog open={asking} title="Remove what waits for these books?" onClose={close}>
        <div className="form">
          <p>It is deleted, unless you import the archive again. Highlights, commitments and cards that are in your account stay.</p>
          {remove.isError ? <Alert kind="warning">{messageOf(remove.error)}</Alert> : null}
          <div className="setting__buttons">
            <Button kind="harm" busy={remove.isPending} busyText="Removing" onClick={() => remove.mutate()}>
              Remove all
            </Button>
            <Button kind="quiet" onClick={close}>
              Keep it
            </Button>
          </div>
        </div>
      </Dialog>
    </Section>
  );
}
