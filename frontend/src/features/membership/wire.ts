// The calls for another plan and another payment method, until the server's description has them. Each declaration goes when
// `schema.gen.ts` has the call.
import type { components } from '@/api/schema.gen';

interface Post<Result, Body> {
  get?: never;
  put?: never;
  delete?: never;
  post: { requestBody: { content: { 'application/json': Body } }; responses: { 200: { content: { 'application/json': { result: Result } } } } };
}

interface Answer {
  plan: components['schemas']['MemberPlan'] | null;
  requiresAction: boolean;
  clientSecret: string | null;
  checkout: string | null;
}

interface WireSwitch {
  startsAt: number;
  chargedNow: number;
  creditLeft: number;
  nextCharge: number;
  nextChargeAt: number;
  fromPlanName: string;
}

declare module '@/api/schema.gen' {
  interface paths {
    '/api/charge/switch/preview': Post<{ switch: WireSwitch; token: string }, { planId: string }>;
    '/api/charge/switch': Post<Answer, { planId: string; token: string }>;
    '/api/charge/method': Post<Answer, { token: string }>;
  }
}
