// The calls that switch a plan and change a card, until the server's description has them. Each declaration goes when `schema.gen.ts` has the call.

import type { components } from '@/api/schema.gen';

type WirePlan = components['schemas']['MemberPlan'];

interface Answered<Result> {
  responses: { 200: { content: { 'application/json': { result: Result } } } };
}

interface Post<Result, Body> {
  get?: never;
  put?: never;
  delete?: never;
  post: { requestBody: { content: { 'application/json': Body } } } & Answered<Result>;
}

interface WireSwitch {
  startsAt: number;
  chargedNow: number;
  creditLeft: number;
  nextCharge: number;
  nextChargeAt: number;
  fromPlanName: string;
}

interface Authentication {
  requiresAction: boolean;
  clientSecret: string | null;
  checkout: string | null;
}

declare module '@/api/schema.gen' {
  interface paths {
    '/api/charge/switch/preview': Post<{ switch: WireSwitch; token: string }, { planId: string }>;
    '/api/charge/switch': Post<{ plan: WirePlan | null } & Authentication, { planId: string; token: string }>;
    '/api/charge/method': Post<{ plan: WirePlan | null } & Authentication, { token: string }>;
  }
}
