import { useEffect, useRef, useState } from 'react';
import { queryClient } from '@/api/queryClient';
import type { User } from '@/api/types';
import { InviteForm } from '@/shared/referral/InviteForm';
import { site } from '@/lib/site';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';

/** Offers one more free summary for a first invitation to members without a plan (reading-progress.home-page). */
export function InviteBox({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is removed.
  useEffect(() => {
    if (sent) heading.current?.focus();
  }, [sent]);
  if (!sent && (user.isPaid || user.friendEmail !== null)) return null;
  return (
    <section className="invite" aria-labelledby="invite">
      <div>
        <h2 className="invite__title" id="invite" ref={heading} tabIndex={-1}>
          {sent ? 'Your invitation is on its way' : 'One more summary, for a friend'}
        </h2>
        <p className="invite__text" role={sent ? 'status' : undefined}>
          {sent
            ? 'One more summary is yours as soon as it is sent. Open any book to use it.'
            : `Invite someone who would like ${site.name} and get one more summary.`}
        </p>
      </div>
      {sent ? (
        <span className="done-mark" aria-hidden="true">
          <Icon name="check" />
        </span>
      ) : (
        <Button onClick={() => setOpen(true)}>Invite a friend</Button>
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title="Invite a friend">
        <InviteForm
          user={user}
          scroll={false}
          onSent={() => {
            setSent(true);
            setOpen(false);
            // Cached data does not include the invitation.
            void queryClient.invalidateQueries({ queryKey: ['member'] });
          }}
        />
      </Dialog>
    </section>
  );
}
