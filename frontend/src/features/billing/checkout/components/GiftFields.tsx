import type { Draft } from '@/shared/offline/drafts';
import { GIFT_DAYS_AHEAD, localDay } from '@/features/billing/checkout/giftDay';
import { EmailField, TextArea, TextField } from '@/ui/Field';
import type { Form } from '@/ui/useForm';

/** The giver, the recipient, the message, and the day on which the gift is mailed (billing.gift-delivery). */
export function GiftFields({ form, draft }: { form: Form; draft: Draft }) {
  return (
    <fieldset className="checkout__group">
      <legend className="checkout__legend">The gift</legend>
      <p className="checkout__hint">Leave the recipient blank to get the code yourself, to print or pass on.</p>
      <TextField label="Your name" name="senderName" autoComplete="name" maxLength={100} defaultValue={draft['senderName']} error={form.wrong('senderName')} />
      <div className="form__pair">
        <TextField
          label="Recipient’s name"
          name="recipientName"
          autoComplete="off"
          maxLength={100}
          defaultValue={draft['recipientName']}
          error={form.wrong('recipientName')}
        />
        <EmailField
          label="Recipient’s email"
          name="recipientEmail"
          required={false}
          autoComplete="off"
          defaultValue={draft['recipientEmail']}
          error={form.wrong('recipientEmail')}
        />
      </div>
      <TextArea label="Message" name="recipientMsg" rows={3} maxLength={1000} defaultValue={draft['recipientMsg']} error={form.wrong('recipientMsg')} />
      <TextField
        label="Deliver on"
        name="deliverOn"
        type="date"
        min={localDay(0)}
        max={localDay(GIFT_DAYS_AHEAD)}
        defaultValue={draft['deliverOn']}
        hint="We email it to the recipient that morning. If left blank, it goes out right away."
        error={form.wrong('deliverOn')}
      />
    </fieldset>
  );
}
