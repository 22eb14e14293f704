import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

function Sample({ submit, incomplete }: { submit: (form: FormData) => Promise<void>; incomplete?: string }) {
  const form = useForm({ required: { why: 'Please specify Why.', password1: 'Please specify Password.' }, ...(incomplete && { incomplete }), submit });
  return (
    <form {...form.props}>
      <FormAlert form={form} />
      <label>
        Why
        <textarea name="why" aria-invalid={form.wrong('why') !== null} />
      </label>
      <TextField label="Password" name="password1" error={form.wrong('password1')} />
      <SubmitButton form={form} busyText="Sending">
        Send
      </SubmitButton>
    </form>
  );
}

const press = () => userEvent.click(screen.getByRole('button'));
beforeEach(() => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => vi.useRealTimers());

describe('a form', () => {
  it('names the first missing field only, and sends nothing', async () => {
    const submit = vi.fn();
    render(<Sample submit={submit} />);
    await userEvent.type(screen.getByLabelText('Why'), '   ');
    await press();
    expect(screen.getByRole('alert')).toHaveTextContent(/^Please specify Why\.$/);
    expect(screen.getByLabelText('Why')).toHaveFocus();
    expect(screen.getByLabelText('Password')).not.toHaveAttribute('aria-invalid');
    expect(submit).not.toHaveBeenCalled();
  });

  it('with one sentence for all marks only the first missing field', async () => {
    render(<Sample submit={vi.fn()} incomplete="Please complete the form." />);
    await press();
    expect(screen.getByRole('alert')).toHaveTextContent('Please complete the form.');
    expect(screen.getByLabelText('Why')).toBeInvalid();
    expect(screen.getByLabelText('Password')).not.toHaveAttribute('aria-invalid');
    await userEvent.type(screen.getByLabelText('Why'), 'because');
    await press();
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Please specify Password.');
  });

  it('sends what was typed, once, however often it is pressed; a password may be blanks', async () => {
    let finish: () => void = () => undefined;
    const sent: string[] = [];
    const submit = (form: FormData) => {
      sent.push(text(form, 'why'), text(form, 'password1'));
      return new Promise<void>((resolve) => (finish = resolve));
    };
    render(<Sample submit={submit} />);
    await userEvent.type(screen.getByLabelText('Why'), ' because ');
    await userEvent.type(screen.getByLabelText('Password'), '  ');
    await press();
    await press();
    expect(screen.getByRole('button')).toHaveTextContent('Sending');
    expect(sent).toEqual([' because ', '  ']);
    await act(() => Promise.resolve(finish()));
    await waitFor(() => expect(screen.getByRole('button')).toHaveTextContent('Send'));
  });

  it('counts down after too many tries, and then takes the next one', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const submit = vi
      .fn()
      .mockRejectedValue(new ApiError({ status: 429, code: 'too_many_tries', message: 'Too many attempts. Please try again in 42 seconds.', retryAfter: 42 }));
    render(<Sample submit={submit} />);
    await userEvent.type(screen.getByLabelText('Why'), 'w');
    await userEvent.type(screen.getByLabelText('Password'), 'p');
    await press();
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts. Please try again in 42 seconds.');
    expect(screen.getByRole('button')).toHaveAttribute('aria-disabled', 'true');
    act(() => void vi.advanceTimersByTime(12_000));
    expect(screen.getByRole('button')).toHaveTextContent(/Try again in 0:(30|29)/);
    await press();
    expect(submit).toHaveBeenCalledTimes(1);
    act(() => void vi.advanceTimersByTime(31_000));
    expect(screen.getByRole('status')).toHaveTextContent('You can try again now.');
    await press();
    expect(submit).toHaveBeenCalledTimes(2);
  });
});
