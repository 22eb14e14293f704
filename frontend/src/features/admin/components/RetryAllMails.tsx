import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { ActionDialog } from '@/features/admin/components/ActionDialog';
import { readAgain } from '@/features/admin/paged';
import { overviewQuery } from '@/features/admin/queries';
import { plural } from '@/lib/format';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

/** Sends all failed emails again, after a confirmation (admin.retry-all). */
export function RetryAllMails() {
  const [open, setOpen] = useState(false);
  const { data } = useQuery(overviewQuery());
  const failed = data?.mails.setAside ?? 0;
  return (
    <>
      <Button className="admin__add" onClick={() => setOpen(true)}>
        Retry all
      </Button>
      {open ? (
        <ActionDialog
          title={failed > 0 ? `Send ${plural(failed, 'failed email')} again?` : 'Send all failed emails again?'}
          button="Retry all"
          busyText="Trying…"
          onClose={() => setOpen(false)}
          submit={async () => {
            const { retried, left } = await call('POST /api/admin/mails/retry');
            setOpen(false);
            const sent = retried > 0 ? `${plural(retried, 'email')} will be sent again.` : 'There was no failed email left.';
            toast(left > 0 ? `${plural(retried, 'email')} will be sent again. ${plural(left, 'email')} may have arrived and can be tried one by one.` : sent);
            await readAgain('mails', 'jobs', 'overview', 'system');
            // The button, which had the focus, is gone with the failed emails.
            document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
          }}
        >
          <p>Old emails are sent as well. A link in them may have expired: for a new password, for example. Emails that may have arrived already are left.</p>
        </ActionDialog>
      ) : null}
    </>
  );
}
