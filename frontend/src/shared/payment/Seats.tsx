import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { SeatList } from '@/shared/payment/SeatList';
import { copyText } from '@/shared/referral/copyText';
import { formatDay, plural } from '@/lib/format';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { EmailField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';
import { text, useForm } from '@/ui/useForm';

/** How many seats are shown at first. */
const FIRST = 20;

type Seat = ResultOf<'GET /api/teams/seats'>['seats'][number];

export const seatsQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'seats'],
    queryFn: ({ signal }) => call('GET /api/teams/seats', { signal }),
    staleTime: 10_000,
    retryOnMount: false,
  });

/** The seats that the member has bought, under /teams: which are used, and which can be sent (billing.team-seats). Renders nothing when there are none. */
export function Seats() {
  const { data, error, refetch } = useQuery(seatsQuery());
  const [all, setAll] = useState(false);
  const [sending, setSending] = useState<Seat | null>(null);
  const [listing, setListing] = useState(false);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || data.seats.length === 0) return null;
  const shown = all ? data.seats : data.seats.slice(0, FIRST);
  const free = data.seats.filter(({ state }) => state === 'free' || state === 'sent');
  const unsent = free.filter(({ state }) => state === 'free').map(({ code }) => code);
  return (
    <section className="seats" aria-labelledby="seats-title">
      <div className="section__head">
        <h2 className="section__title" id="seats-title">
          Your seats
        </h2>
        {unsent.length > 1 ? (
          <Button aria-haspopup="dialog" onClick={() => setListing(true)}>
            <Icon name="mail" />
            Send to a list
          </Button>
        ) : null}
        {free.length > 0 ? (
          <Button onClick={() => void copyText(free.map(({ code }) => code).join('\n'), `${plural(free.length, 'code')} copied.`)}>
            <Icon name="copy" />
            {free.length === data.seats.length ? 'Copy all codes' : 'Copy all unused codes'}
          </Button>
        ) : null}
      </div>
      <p className="seats__used">{`${data.used} of ${plural(data.total, 'seat')} used. `}Each code is good for one year of Premium and works once.</p>
      <ul className="seats__list">
        {shown.map((seat) => (
          <li key={seat.code} className="seats__seat">
            <div className="seats__text">
              <code className={seat.state === 'used' || seat.state === 'revoked' ? 'seats__code seats__code--used' : 'seats__code'}>{seat.code}</code>
              <span className="seats__state">{stateText(seat)}</span>
            </div>
            {seat.state === 'free' || seat.state === 'sent' ? (
              <div className="seats__actions">
                <IconButton icon="copy" label={`Copy ${seat.code}`} onClick={() => void copyText(seat.code, 'Code copied.')} />
                <Button
                  kind="quiet"
                  aria-haspopup="dialog"
                  aria-label={`Send ${seat.code}${seat.state === 'sent' ? ' again' : ''}`}
                  onClick={() => setSending(seat)}
                >
                  {seat.state === 'sent' ? 'Send again' : 'Send'}
                </Button>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      {shown.length < data.seats.length ? (
        <Button className="seats__more" kind="quiet" onClick={() => setAll(true)}>
          Show all {data.seats.length}
        </Button>
      ) : null}
      <Dialog open={sending !== null} onClose={() => setSending(null)} title="Send a seat">
        {sending ? <SendForm seat={sending} onClose={() => setSending(null)} /> : null}
      </Dialog>
      <Dialog open={listing} onClose={() => setListing(false)} title="Send seats to a list">
        {listing ? (
          <SeatList
            codes={unsent}
            taken={data.seats.flatMap(({ sentTo }) => sentTo ?? [])}
            onSent={() => queryClient.invalidateQueries({ queryKey: seatsQuery().queryKey })}
            onClose={() => setListing(false)}
          />
        ) : null}
      </Dialog>
    </section>
  );
}

function stateText({ state, sentTo, usedAt }: Seat): string {
  switch (state) {
    case 'free':
      return 'Free';
    case 'sent':
      return sentTo === null ? 'Sent' : `Sent to ${sentTo}`;
    case 'used':
      return `${usedAt === null ? 'Used' : `Used on ${formatDay(usedAt)}`}${sentTo === null ? '' : `, sent to ${sentTo}`}`;
    case 'suspended':
      return 'On hold while we check the payment';
    default:
      return 'No longer valid: it was refunded';
  }
}

function SendForm({ seat, onClose }: { seat: Seat; onClose: () => void }) {
  const form = useForm({
    required: { email: 'An email address is missing.' },
    scroll: false,
    submit: async (data) => {
      const email = text(data, 'email').trim();
      await call('POST /api/teams/seats/send', { body: { code: seat.code, email } });
      await queryClient.invalidateQueries({ queryKey: seatsQuery().queryKey });
      onClose();
      toast(`The code is on its way to ${email}.`);
    },
  });
  return (
    <form className="form" {...form.props}>
      <p>We email the code {seat.code} with a link that starts the year.</p>
      <FormAlert form={form} />
      <EmailField label="Email" name="email" autoComplete="off" defaultValue={seat.sentTo ?? ''} error={form.wrong('email')} />
      <SubmitButton form={form} busyText="Sending">
        Send the code
      </SubmitButton>
    </form>
  );
}
