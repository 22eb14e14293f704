// The calls of membership, until the server's description has them. Each declaration goes when `schema.gen.ts` has the call.

import type { components } from '@/api/schema.gen';

type Joined = components['schemas']['SignedIn'];

interface Answered<Result> {
  responses: { 200: { content: { 'application/json': { result: Result } } } };
}

interface Get<Result> {
  put?: never;
  post?: never;
  delete?: never;
  get: { parameters: { query?: never }; requestBody?: never } & Answered<Result>;
}

interface Post<Result, Body> {
  get?: never;
  put?: never;
  delete?: never;
  post: { requestBody: { content: { 'application/json': Body } } } & Answered<Result>;
}

interface BarePost<Result> {
  get?: never;
  put?: never;
  delete?: never;
  post: { requestBody?: never } & Answered<Result>;
}

interface WirePlan {
  planId: string | null;
  planName: string | null;
  state: string;
  paidDate: number | null;
  endPaidDate: number | null;
  renewalPrice: number | null;
  nextCharge: { at: number; amount: number } | null;
  pausedUntil: number | null;
  graceEndsAt: number | null;
  method: { brand: string; last4: string | null; expires: string | null } | null;
  provider: string | null;
  canCancel: boolean;
  canResume: boolean;
  canPause: boolean;
  canChangeMethod: boolean;
  switchTo: string[];
}

interface WireEntry {
  id: string;
  at: number;
  kind: string;
  title: string;
  why: string;
  amount: number;
  planName: string;
  receiptUrl: string | null;
  receiptPdfUrl: string | null;
  refundableUntil: number | null;
  future: boolean;
}

interface WireSwitch {
  startsAt: number;
  chargedNow: number;
  creditLeft: number;
  nextCharge: number;
  nextChargeAt: number;
  fromPlanName: string;
}

interface WireSeat {
  code: string;
  state: string;
  sentTo: string | null;
  usedAt: number | null;
  boughtAt: number;
}

interface Authentication {
  requiresAction: boolean;
  clientSecret: string | null;
  checkout: string | null;
}

declare module '@/api/schema.gen' {
  interface paths {
    '/api/user/billing': Get<{ plan: WirePlan; timeline: WireEntry[]; refundDays: number }>;
    '/api/charge/cancel': Post<{ plan: WirePlan }, { reason: string | null }>;
    '/api/charge/resume': BarePost<{ plan: WirePlan }>;
    '/api/charge/pause': Post<{ plan: WirePlan }, { months: number }>;
    '/api/charge/switch/preview': Post<{ switch: WireSwitch; token: string }, { planId: string }>;
    '/api/charge/switch': Post<{ plan: WirePlan | null } & Authentication, { planId: string; token: string }>;
    '/api/charge/method': Post<{ plan: WirePlan | null } & Authentication, { token: string }>;
    '/api/charge/refund-request': Post<Record<string, never>, { receipt: string; reason: string }>;
    '/api/user/stacksocial': Post<{ planName: string; endPaidDate: number | null }, { code: string }>;
    '/api/user/subscription-code-register': Post<
      Joined,
      { username: string; password: string; firstName: string; lastName: string; code: string; timezone: string; chargeId?: string; rId?: string }
    >;
    '/api/teams/seats': Get<{ seats: WireSeat[]; used: number; total: number }>;
    '/api/teams/seats/send': Post<Record<string, never>, { code: string; email: string }>;
    '/api/user/refers': Get<{ rId: string; link: string; clicks: number; refers: { num: number; money: number }[]; pending: number; payable: number; paid: number }>;
    '/api/referral/click/{id}': {
      get?: never;
      put?: never;
      delete?: never;
      post: { parameters: { path: { id: string } }; requestBody?: never } & Answered<Record<string, never>>;
    };
    '/api/affiliate': {
      put?: never;
      delete?: never;
      get: { parameters: { query?: never }; requestBody?: never } & Answered<Affiliate>;
      post: { requestBody?: never } & Answered<Affiliate>;
    };
  }
}

interface Affiliate {
  joined: boolean;
  link: string | null;
  clicks: number;
  purchases: number;
  commission: { pending: number; payable: number; paid: number };
}
