import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

/** The sender address to approve, and where: without approval the e-reader's service silently drops the mail. */
export function ApprovedSender({ sender }: { sender: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sender);
      toast('Address copied.');
    } catch {
      // The browser or its user refused.
      toast('Could not copy. Select the address instead.');
    }
  };
  return (
    <section className="kindle__sender" aria-labelledby="kindle-sender">
      <h2 id="kindle-sender">Approve our address</h2>
      <p>Kindles only accept books from addresses that you have approved. Our books come from</p>
      <p className="kindle__address">
        <code>{sender}</code>
        {typeof navigator !== 'undefined' && 'clipboard' in navigator ? (
          <Button kind="quiet" onClick={() => void copy()}>
            <Icon name="copy" /> Copy
          </Button>
        ) : null}
      </p>
      <p>
        On Amazon, open <b>Manage Your Content and Devices</b>, then <b>Preferences</b>, <b>Personal Document Settings</b>,{' '}
        <b>Approved Personal Document Email List</b>, and add it there. Your Kindle’s own address is on the same page.
      </p>
    </section>
  );
}
