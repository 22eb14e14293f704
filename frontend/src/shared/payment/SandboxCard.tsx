import '@/shared/payment/payment.css';
import { useState } from 'react';
import { TEST_CARDS, formatCardNumber, formatExpiry, newPayingNumber } from '@/shared/payment/sandboxCard';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import type { Form } from '@/ui/useForm';

/** Five years from now, as 'MM / YY'. */
const validExpiry = () => `12 / ${String((new Date().getFullYear() + 5) % 100).padStart(2, '0')}`;

/** The sandbox's card form. Browser autofill is off: no real card belongs here. */
export function SandboxCard({ form }: { form: Form }) {
  const [number, setNumber] = useState('');
  const [expiry, setExpiry] = useState('');
  const [cvc, setCvc] = useState('');
  const fill = (card: string) => {
    setNumber(card);
    setExpiry(validExpiry());
    setCvc('123');
  };
  const field = { autoComplete: 'off', inputMode: 'numeric', spellCheck: false, required: true } as const;
  return (
    <div className="sandbox-card">
      <div className="sandbox-card__cards" role="group" aria-label="Test cards">
        {TEST_CARDS.map((card) => (
          <Button key={card.token} className="sandbox-card__card" onClick={() => fill(card.number)}>
            <span className="sandbox-card__outcome">{card.outcome}</span> <span className="sandbox-card__number tabular">{card.number}</span>
          </Button>
        ))}
        <Button className="sandbox-card__card" onClick={() => fill(newPayingNumber())}>
          <span className="sandbox-card__outcome">A new card that works</span> <span className="sandbox-card__number tabular">4242 …</span>
        </Button>
      </div>
      <p className="sandbox-card__hint">Any valid number that begins with 4242 works, each as a card of its own.</p>
      <TextField
        {...field}
        label="Card number"
        name="cardNumber"
        className="tabular"
        placeholder="1234 1234 1234 1234"
        value={number}
        onChange={(event) => setNumber(formatCardNumber(event.target.value))}
        error={form.wrong('cardNumber')}
      />
      <div className="sandbox-card__pair">
        <TextField
          {...field}
          label="Expires"
          name="cardExpiry"
          className="tabular"
          placeholder="MM / YY"
          value={expiry}
          // After the slash was deleted it is not added again.
          onChange={(event) =>
            setExpiry(event.target.value.length < expiry.length ? event.target.value.trimEnd().replace(/\s*\/$/, '') : formatExpiry(event.target.value))
          }
          error={form.wrong('cardExpiry')}
        />
        <TextField
          {...field}
          label="Security code"
          name="cardCvc"
          className="tabular"
          placeholder="CVC"
          maxLength={4}
          value={cvc}
          onChange={(event) => setCvc(event.target.value)}
          error={form.wrong('cardCvc')}
        />
      </div>
    </div>
  );
}
