// A business for the browser tests of the screens about money: made through the API, paid in the sandbox.
import { expect, request } from '@playwright/test';
import { ageRewards } from './database';
import { call, DEMO_PASSWORD, newAddress, PASSWORD } from './people';

export interface Business {
  /** Who bought for life with the coupon, and got a part of it back. */
  buyer: string;
  /** The number of that order. */
  order: number;
  /** Who brought the buyer, and was paid out what that earned. */
  earner: { id: number; email: string };
  /** The number of the order of 20 seats. */
  team: number;
  coupon: string;
  /** A code of the batch that was made. */
  code: string;
}

/** Makes a coupon, a batch of codes, an order with a refund and a reward that is paid out, a declined one, and one of seats. */
export async function makeBusiness(): Promise<Business> {
  const api = await request.newContext();
  const join = async () => {
    const email = newAddress();
    // A sign-up ends the session whose cookie is sent with it.
    const own = await request.newContext();
    try {
      const { token } = await call<{ token: string }>(own, 'POST', '/api/user/register', {
        username: email,
        password: PASSWORD,
        firstName: 'Ada',
        lastName: 'Buyer',
      });
      return { email, token };
    } finally {
      await own.dispose();
    }
  };
  try {
    const { token: admin } = await call<{ token: string }>(api, 'POST', '/api/user/login', { username: 'admin@example.com', password: DEMO_PASSWORD });
    const orderOf = async (email: string) => {
      const { orders } = await call<{ orders: { id: number }[] }>(api, 'GET', `/api/admin/orders?q=${encodeURIComponent(email)}`, undefined, admin);
      return orders[0]?.id ?? 0;
    };

    const coupon = `SPRING-${crypto.randomUUID().slice(0, 8)}`.toUpperCase();
    await call(api, 'POST', '/api/admin/coupons', { code: coupon, percent: 40, maxUses: 500 }, admin);
    const { codes } = await call<{ codes: { code: string }[] }>(
      api,
      'POST',
      '/api/admin/codes',
      { planId: 'yearly', months: 12, count: 3, note: 'A batch' },
      admin,
    );

    const earner = await join();
    const { rId } = await call<{ rId: string }>(api, 'GET', '/api/user/refers', undefined, earner.token);
    const buyer = await join();
    await call(api, 'POST', '/api/charge/process/lifetime', { token: 'pm_card_visa', couponCode: coupon, rId }, buyer.token);
    const order = await orderOf(buyer.email);
    const { order: detail } = await call<{ order: { charges: { id: string }[] } }>(api, 'GET', `/api/admin/orders/${order}`, undefined, admin);
    await call(
      api,
      'POST',
      `/api/admin/charges/${encodeURIComponent(detail.charges[0]?.id ?? '')}/refund`,
      { amount: 1000, reason: 'requested_by_customer' },
      admin,
    );

    await ageRewards(earner.email);
    const { payouts } = await call<{ payouts: { userId: number; email: string; payable: number; paid: number }[] }>(
      api,
      'GET',
      '/api/admin/payouts',
      undefined,
      admin,
    );
    const owed = payouts.find(({ email }) => email === earner.email);
    if (!owed) throw new Error('The buyer’s friend has earned nothing.');
    await call(api, 'POST', `/api/admin/payouts/${owed.userId}/paid`, { amount: owed.payable, paid: owed.paid, note: 'By bank' }, admin);

    const broke = await join();
    const declined = await api.post(`http://localhost:${process.env['E2E_PORT'] ?? ''}/api/charge/process/lifetime`, {
      headers: { Authorization: `Bearer ${broke.token}` },
      data: { token: 'pm_card_chargeDeclined' },
    });
    expect(declined.status()).toBe(402);

    const company = await join();
    await call(api, 'POST', '/api/charge/process/bulk', { token: 'pm_card_visa', quantity: 20 }, company.token);
    return {
      buyer: buyer.email,
      order,
      earner: { id: owed.userId, email: earner.email },
      team: await orderOf(company.email),
      coupon,
      code: codes[0]?.code ?? '',
    };
  } finally {
    await api.dispose();
  }
}
