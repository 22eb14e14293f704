import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { CANCEL_REASONS } from '@/features/billing/membership/cancelReasons';
import { site } from '@/lib/site';
import { openApp } from '@test/app';
import { canceledPlan, day, freePlan, sampleBilling, yearlyPlan } from '@test/membership';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const LONG = { timeout: 5000 };
let app: ReturnType<typeof openApp> | null = null;

beforeEach(() => {
  Object.assign(site, { supportEmail: 'help@quire.example' });
  server.use(on('GET /api/user/account', () => ({ user: sampleUser() })));
});
afterEach(() => {
  app?.close();
  localStorage.clear();
  sessionStorage.clear();
});

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, LONG);

describe('/cancel', () => {
  const open = (plan = yearlyPlan()) => {
    session.start('token');
    server.use(on('GET /api/user/billing', () => sampleBilling(plan)));
    app = openApp('/cancel');
  };

  it('sends a visitor to log in, and back', async () => {
    app = openApp('/cancel');
    await waitFor(() => expect(app?.at()).toBe('/login?redirect=%2Fcancel'), LONG);
  });

  it('has the eight reasons, none chosen, and a way to keep the plan', async () => {
    open();
    await heading('Cancel your subscription');
    const radios = screen.getAllByRole('radio').filter((radio) => (radio as HTMLInputElement).name === 'reason');
    expect(radios.map((radio) => (radio as HTMLInputElement).value)).toEqual([
      'too expensive',
      'not using',
      'using other app',
      'not using it right now',
      'not working',
      'no autorenewals',
      'no android app',
      'other',
    ]);
    for (const radio of radios) expect(radio).not.toBeChecked();
    expect(screen.getByRole('link', { name: 'Keep as is' })).toHaveAttribute('href', '/books');
    expect(screen.getByText(/subscribed through a mobile app store, we cancel it for you/)).toHaveTextContent('help@quire.example');
  });

  it('turns off renewal in one press, without a reason if there is none', async () => {
    let sent: unknown;
    open();
    await heading('Cancel your subscription');
    server.use(
      on('POST /api/charge/cancel', ({ body }) => {
        sent = body;
        return { plan: canceledPlan() };
      }),
      on('GET /api/user/billing', () => sampleBilling(canceledPlan())),
    );
    await press('Turn off auto-renewal');
    expect(await heading('Your subscription was cancelled.')).toHaveFocus();
    expect(screen.getByText(/^You can read everything until March 14, 2999\. You will not be charged again\./)).toBeVisible();
    expect(sent).toEqual({ reason: null });
  });

  it('sends the reason, and turns renewal on again with one press', async () => {
    let sent: unknown;
    open();
    await heading('Cancel your subscription');
    server.use(
      on('POST /api/charge/cancel', ({ body }) => {
        sent = body;
        return { plan: canceledPlan() };
      }),
      on('GET /api/user/billing', () => sampleBilling(canceledPlan())),
    );
    await userEvent.click(screen.getByRole('radio', { name: CANCEL_REASONS[3].label }));
    await press('Turn off auto-renewal');
    await heading('Your subscription was cancelled.');
    expect(sent).toEqual({ reason: 'not using it right now' });
    server.use(
      on('POST /api/charge/resume', () => ({ plan: yearlyPlan() })),
      on('GET /api/user/billing', () => sampleBilling()),
    );
    await press('Turn renewal back on');
    await heading('Cancel your subscription');
  });

  it('offers a pause instead', async () => {
    open();
    await heading('Cancel your subscription');
    const paused = yearlyPlan({ state: 'paused', pausedUntil: day(2999, 4, 14), canCancel: true, canPause: false, canResume: true });
    server.use(
      on('POST /api/charge/pause', () => ({ plan: paused })),
      on('GET /api/user/billing', () => sampleBilling(paused)),
    );
    await press('Pause for 1 month');
    expect(await heading('Your plan is paused until April 14, 2999.')).toHaveFocus();
  });

  it('says whom to write to when it fails, and keeps the choice', async () => {
    open();
    await heading('Cancel your subscription');
    server.use(on('POST /api/charge/cancel', () => failure(500, 'internal', 'Boom.')));
    await userEvent.click(screen.getByRole('radio', { name: 'Something else' }));
    await press('Turn off auto-renewal');
    expect(await screen.findByRole('alert')).toHaveTextContent('There was an error processing your cancellation. Please contact us at help@quire.example.');
    expect(screen.getByRole('radio', { name: 'Something else' })).toBeChecked();
  });

  it.each([
    ['free', freePlan(), 'You are on the free plan. Nothing will be charged.'],
    ['lifetime', freePlan({ state: 'lifetime', planName: 'Lifetime' }), 'Lifetime does not renew. Nothing will be charged.'],
  ])('says to a member whose plan is %s that there is nothing to cancel', async (_, plan, text) => {
    open(plan);
    await heading('There is nothing to cancel');
    expect(screen.getByText(text)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Turn off auto-renewal' })).toBeNull();
  });

  it('shows a plan that is canceled already, with a way back', async () => {
    open(canceledPlan());
    await heading('Your subscription was cancelled.');
    expect(screen.getByRole('button', { name: 'Turn renewal back on' })).toBeVisible();
  });
});

describe('/stacksocial', () => {
  it('sends a visitor to sign up, and back', async () => {
    app = openApp('/stacksocial');
    await waitFor(() => expect(app?.at()).toBe('/signup?redirect=%2Fstacksocial'), LONG);
  });

  it('needs a code', async () => {
    session.start('token');
    app = openApp('/stacksocial');
    await heading('Redeem a code');
    await userEvent.type(screen.getByLabelText('Code'), '   ');
    await press('Redeem Code');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please provide a valid redemption code.');
    expect(screen.getByLabelText('Code')).toHaveFocus();
  });

  it('redeems the code of the address, trimmed', async () => {
    let sent: unknown;
    session.start('token');
    server.use(
      on('POST /api/user/stacksocial', ({ body }) => {
        sent = body;
        return { planName: 'Gift', endPaidDate: day(2999, 3, 14) };
      }),
    );
    app = openApp('/stacksocial?code=ABCD-EFGH');
    await heading('Redeem a code');
    expect(screen.getByLabelText('Code')).toHaveValue('ABCD-EFGH');
    await userEvent.type(screen.getByLabelText('Code'), '-JKLM ');
    await press('Redeem Code');
    expect(await heading('Success!')).toHaveFocus();
    expect(screen.getByText('Your StackSocial code has been activated successfully')).toBeVisible();
    expect(screen.getByText('Gift is yours until March 14, 2999.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Your Account' })).toHaveAttribute('href', '/account');
    expect(sent).toEqual({ code: 'ABCD-EFGH-JKLM' });
  });

  it('says that the network failed', async () => {
    session.start('token');
    server.use(on('POST /api/user/stacksocial', () => HttpResponse.error()));
    app = openApp('/stacksocial');
    await heading('Redeem a code');
    await userEvent.type(screen.getByLabelText('Code'), 'ABCD');
    await press('Redeem Code');
    expect((await screen.findByRole('alert')).textContent).toBe('There was an error processing your request.');
  });

  it('says what is wrong with a code', async () => {
    session.start('token');
    server.use(on('POST /api/user/stacksocial', () => failure(409, 'code_used', 'This code was used already.', { field: 'code' })));
    app = openApp('/stacksocial');
    await heading('Redeem a code');
    await userEvent.type(screen.getByLabelText('Code'), 'ABCD');
    await press('Redeem Code');
    expect(await screen.findByRole('alert')).toHaveTextContent('This code was used already.');
    expect(screen.getByLabelText('Code')).toHaveValue('ABCD');
  });
});

describe('/subscriptioncode', () => {
  const fill = async (more: Record<string, string> = {}) => {
    for (const [label, value] of Object.entries({
      'First name': 'Ada',
      'Last name': 'Reader',
      Email: 'ada@example.com',
      Password: 'a long evening',
      ...more,
    })) {
      await userEvent.type(await screen.findByLabelText(label), value);
    }
  };

  it('signs up with the code of the address, with what was bought and who referred', async () => {
    let sent: unknown;
    sessionStorage.setItem('chargeId', 'charge-9');
    localStorage.setItem('rId', 'friend');
    localStorage.setItem('rIdDate', String(Date.now()));
    server.use(
      on('POST /api/user/subscription-code-register', ({ body }) => {
        sent = body;
        return { token: 'full', user: sampleUser() };
      }),
    );
    app = openApp('/subscriptioncode/ABCD-EFGH?redirect=%2Fcontact');
    await heading('Start with your code');
    expect(screen.getByLabelText('Code')).toHaveValue('ABCD-EFGH');
    await fill();
    await press('Sign up');
    await waitFor(() => expect(app?.at()).toBe('/contact'), LONG);
    expect(session.token()).toBe('full');
    expect(sent).toEqual({
      username: 'ada@example.com',
      password: 'a long evening',
      firstName: 'Ada',
      lastName: 'Reader',
      code: 'ABCD-EFGH',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      chargeId: 'charge-9',
      rId: 'friend',
    });
    expect(sessionStorage.getItem('chargeId')).toBeNull();
  });

  it('needs every field, and says so in one sentence', async () => {
    app = openApp('/subscriptioncode');
    await heading('Start with your code');
    await fill();
    await press('Sign up');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please specify an email or code or password or first name or last name.');
    expect(screen.getByLabelText('Code')).toHaveFocus();
    expect(screen.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute('href', '/forgot-password');
  });

  it('leads an address that is taken to the login, and on to the redemption', async () => {
    server.use(on('POST /api/user/subscription-code-register', () => failure(409, 'email_taken', 'This address has an account.', { field: 'username' })));
    app = openApp('/subscriptioncode/ABCD');
    await heading('Start with your code');
    await fill();
    await press('Sign up');
    expect(await screen.findByRole('link', { name: 'Log in and redeem it there' })).toHaveAttribute('href', '/login?redirect=%2Fstacksocial%3Fcode%3DABCD');
  });

  it('names the giver of a gift and shows the message, and asks nothing of what can be no code', async () => {
    const asked: unknown[] = [];
    server.use(
      on('POST /api/gifts/find', ({ body }) => {
        asked.push(body);
        return { senderName: 'Grace', recipientName: 'Ada', message: 'Read on.', planName: 'Yearly' };
      }),
    );
    app = openApp('/subscriptioncode/ABCD-EFGH');
    await heading('Start with your code');
    expect(screen.queryByRole('figure')).toBeNull();
    app.close();
    app = openApp('/subscriptioncode/ABCDE-FGHJK-LMNPQ-RSTUV');
    expect(await screen.findByRole('figure', { name: 'A gift from Grace' })).toHaveTextContent('A gift from Grace, for AdaRead on.');
    expect(asked).toEqual([{ code: 'ABCDE-FGHJK-LMNPQ-RSTUV' }]);
    app.close();
    session.start('token');
    app = openApp('/stacksocial?code=ABCDE-FGHJK-LMNPQ-RSTUV');
    expect(await screen.findByRole('figure', { name: 'A gift from Grace' })).toBeVisible();
  });

  it('stays quiet about a code that is no gift’s', async () => {
    server.use(on('POST /api/gifts/find', () => failure(404, 'not_found', 'There is no such gift.')));
    app = openApp('/subscriptioncode/ABCDE-FGHJK-LMNPQ-RSTUV');
    await heading('Start with your code');
    expect(screen.queryByRole('figure')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('lets a member redeem the code instead', async () => {
    session.start('token');
    app = openApp('/subscriptioncode/ABCD-EFGH');
    await heading('Redeem a code');
    expect(screen.getByLabelText('Code')).toHaveValue('ABCD-EFGH');
  });
});

describe('the plan where it is named', () => {
  it('says its next charge in the member’s menu', async () => {
    session.start('token');
    server.use(on('GET /api/user/billing', () => sampleBilling()));
    app = openApp('/nowhere');
    await heading('Page not found');
    await userEvent.click(screen.getByRole('button', { name: 'Your account' }));
    expect((await screen.findAllByRole('link', { name: 'Yearly Next charge: $59.99 on March 14, 2999' }))[0]).toHaveAttribute('href', '/account#subscription');
  });
});
