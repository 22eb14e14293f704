import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openApp } from '@test/app';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { session } from '@/api/session';

let app: ReturnType<typeof openApp>;
const type = userEvent.setup();

afterEach(() => app.close());

/** Mocks the call; `body` is the request's body once it was sent. */
function sent(name: 'POST /api/contact' | 'POST /api/feedback/send'): { body: unknown } {
  const seen: { body: unknown } = { body: null };
  server.use(
    on(name, ({ body }) => {
      seen.body = body;
      return {};
    }),
  );
  return seen;
}

async function fill(fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await type.type(await screen.findByLabelText(label), value);
}

describe('a visitor', () => {
  it('writes to us, and is told that it was sent', async () => {
    const seen = sent('POST /api/contact');
    app = openApp('/contact');
    await fill({ Name: 'Ada Reader', Email: 'ada@example.com', Message: 'Where is chapter 9?' });
    await type.click(screen.getByRole('button', { name: 'Send message' }));
    const heading = await screen.findByRole('heading', { name: 'Message Sent!' });
    expect(heading).toHaveFocus();
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
    expect(seen.body).toMatchObject({ kind: 'contact', name: 'Ada Reader', email: 'ada@example.com', body: 'Where is chapter 9?', website: '' });
  });

  it('suggests a book with nothing but a message', async () => {
    const seen = sent('POST /api/contact');
    app = openApp('/suggest');
    await fill({ Message: 'Emma' });
    expect(screen.getByLabelText(/^Name/)).not.toBeRequired();
    expect(screen.getByLabelText(/^Email/)).not.toBeRequired();
    await type.click(screen.getByRole('button', { name: 'Send suggestion' }));
    expect(await screen.findByRole('heading', { name: 'Thanks for the message!' })).toBeVisible();
    expect(seen.body).toMatchObject({ kind: 'suggest', name: '', email: '', body: 'Emma' });
  });

  it('begins a suggestion with what was searched for, before a draft that was left', async () => {
    app = openApp('/contact?kind=suggest&book=Deep%20Work');
    const message = await screen.findByLabelText('Message');
    expect(message).toHaveValue('Deep Work');
    await type.type(message, ', please');
    app = openApp('/contact?kind=suggest&book=Emma');
    await waitFor(() => expect(screen.getAllByLabelText('Message').at(-1)).toHaveValue('Emma\nDeep Work, please'));
  });

  it('sends feedback', async () => {
    const seen = sent('POST /api/feedback/send');
    app = openApp('/feedback-form');
    expect(await screen.findByRole('heading', { name: 'What do you think?' })).toBeVisible();
    await fill({ Feedback: 'Good.', Email: 'ada@example.com' });
    await type.click(screen.getByRole('button', { name: 'Send Feedback' }));
    expect(await screen.findByRole('heading', { name: 'Your feedback was submitted.' })).toBeVisible();
    expect(seen.body).toMatchObject({ feedback: 'Good.', email: 'ada@example.com' });
  });

  it.each([
    ['/contact', 'Send message', 'Please complete the form.', 'Name'],
    ['/suggest', 'Send suggestion', 'Please complete the form.', 'Message'],
    ['/feedback-form', 'Send Feedback', 'Please input the required fields.', 'Feedback'],
  ])('is told the first thing that %s needs, and that alone', async (address, button, text, first) => {
    app = openApp(address);
    await type.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByLabelText(first)).toHaveFocus();
    expect(screen.getAllByRole('textbox').filter((field) => field.getAttribute('aria-invalid') === 'true')).toEqual([screen.getByLabelText(first)]);
    expect(document.querySelectorAll('.field__error')).toHaveLength(1);
  });

  it('is shown the exception when the network fails (support.raw-failure)', async () => {
    server.use(on('POST /api/contact', () => HttpResponse.error()));
    app = openApp('/contact');
    await fill({ Name: 'Ada', Email: 'ada@example.com', Message: 'Hello' });
    await type.click(screen.getByRole('button', { name: 'Send message' }));
    expect((await screen.findByRole('alert')).textContent).toBe('fetch failed');
  });

  it('keeps what was typed when the server refuses', async () => {
    server.use(on('POST /api/contact', () => failure(422, 'validation_failed', 'Please give an email address.', { field: 'email' })));
    app = openApp('/contact');
    await fill({ Name: 'Ada', Email: 'ada@', Message: 'Hello' });
    await type.click(screen.getByRole('button', { name: 'Send message' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please give an email address.');
    expect(screen.getByLabelText('Email')).toBeInvalid();
    expect(screen.getByLabelText('Message')).toHaveValue('Hello');
  });

  it.each([
    ['/contact', 'Message'],
    ['/suggest', 'Message', 'Email (optional)'],
    ['/feedback-form', 'Feedback'],
  ])('finds again on %s what was typed before a reload', async (address, label, email = 'Email') => {
    app = openApp(address);
    await fill({ [email]: 'ada@example.com', [label]: 'A long thought' });
    app.close();
    app = openApp(address);
    await waitFor(() => expect(screen.getByLabelText(label)).toHaveValue('A long thought'));
    expect(screen.getByLabelText(email)).toHaveValue('ada@example.com');
  });

  it('finds an empty form once it was sent', async () => {
    sent('POST /api/contact');
    app = openApp('/contact');
    await fill({ Name: 'Ada', Email: 'ada@example.com', Message: 'Hello' });
    await type.click(screen.getByRole('button', { name: 'Send message' }));
    await screen.findByRole('heading', { name: 'Message Sent!' });
    app.close();
    app = openApp('/contact');
    expect(await screen.findByLabelText('Message')).toHaveValue('');
  });

  it('logs in before inviting a friend', async () => {
    app = openApp('/refer-a-friend');
    await waitFor(() => expect(app.at()).toBe('/login?redirect=%2Frefer-a-friend'));
  });
});

describe('a member', () => {
  beforeEach(() => {
    session.start('token');
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser() })),
      on('GET /api/user/refers', () => ({ rId: 'ada-7', link: 'https://quire.example/r/ada-7', clicks: 0, refers: [], pending: 0, payable: 0, paid: 0 })),
    );
  });

  it('finds their name and address in the form, and a link to home', async () => {
    sent('POST /api/contact');
    app = openApp('/contact');
    await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue('Ada Reader'));
    expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com');
    await fill({ Message: 'Hello' });
    await type.click(screen.getByRole('button', { name: 'Send message' }));
    expect(await screen.findByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/home');
  });

  it('invites a friend, and may invite another one', async () => {
    server.use(on('POST /api/contact/invite', () => ({})));
    app = openApp('/refer-a-friend');
    expect(await screen.findByLabelText('Your name')).toHaveValue('Ada Reader');
    await fill({ 'Friend’s name': 'Bob', 'Friend’s email': 'bob@example.com' });
    await type.click(screen.getByRole('button', { name: 'Send invitation' }));
    expect(await screen.findByText('An invitation is on its way to bob@example.com.')).toBeVisible();
    expect(screen.getByLabelText('Friend’s name')).toHaveValue('');
    expect(screen.getByLabelText('Your name')).toHaveValue('Ada Reader');
    expect(screen.getByRole('button', { name: 'Send invitation' })).toHaveFocus();
  });

  it('is told to confirm the address before anything is filled in', async () => {
    server.use(on('GET /api/user/account', () => ({ user: sampleUser({ emailConfirmed: false }) })));
    app = openApp('/refer-a-friend');
    const said = await screen.findByText(/^Please confirm your email address first\./);
    expect(said.compareDocumentPosition(screen.getByLabelText('Your name'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('leaves no draft behind when logging out', async () => {
    server.use(
      on('POST /api/user/logout', () => ({})),
      on('GET /api/front', () => failure(503, 'busy', 'Busy.')),
    );
    app = openApp('/contact');
    await fill({ Message: 'A long thought' });
    await app.router.navigate('/logout');
    await waitFor(() => expect(app.at()).toBe('/'));
    await app.router.navigate('/contact');
    expect(await screen.findByLabelText('Message')).toHaveValue('');
  });

  it('is told why an invitation was not sent', async () => {
    server.use(on('POST /api/contact/invite', () => failure(403, 'not_confirmed', 'Please confirm your email address first.')));
    app = openApp('/refer-a-friend');
    await fill({ 'Friend’s name': 'Bob', 'Friend’s email': 'bob@example.com' });
    await type.click(screen.getByRole('button', { name: 'Send invitation' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please confirm your email address first.');
    server.use(on('POST /api/user/confirm-email/send', () => ({})));
    await type.click(screen.getByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText('The email with the link is on its way.')).toBeVisible();
  });
});
