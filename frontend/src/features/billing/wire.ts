// The calls of the checkout, until the server's description has them. Each declaration goes when `schema.gen.ts` has the call.

interface Post<Result, Body> {
  get?: never;
  put?: never;
  delete?: never;
  post: { requestBody: { content: { 'application/json': Body } }; responses: { 200: { content: { 'application/json': { result: Result } } } } };
}

interface PostTo<Result, Body, Path> {
  get?: never;
  put?: never;
  delete?: never;
  post: {
    parameters: { path: Path; query?: never };
    requestBody: { content: { 'application/json': Body } };
    responses: { 200: { content: { 'application/json': { result: Result } } } };
  };
}

interface Get<Result, Parameters> {
  put?: never;
  post?: never;
  delete?: never;
  get: { parameters: Parameters; requestBody?: never; responses: { 200: { content: { 'application/json': { result: Result } } } } };
}

interface WirePlan {
  id: string;
  name: string;
  kind: 'monthly' | 'yearly' | 'lifetime' | 'gift' | 'bulk' | 'once';
  price: number;
  renewalMonths: number | null;
  trialDays: number;
  minQuantity: number;
  maxQuantity: number;
}

interface WireSettings {
  provider: 'stripe' | 'sandbox' | null;
  publicKey: string | null;
  sandbox: boolean;
  paypalClientId: string | null;
  plans: WirePlan[];
}

interface WireSwitch {
  startsAt: number;
  chargedNow: number;
  creditLeft: number;
  nextCharge: number;
  nextChargeAt: number;
  fromPlanName: string;
}

interface WireQuote {
  price: number;
  bookTitle: string | null;
  course: null;
  paypalPlan: string | null;
  planId: string;
  planName: string;
  kind: WirePlan['kind'];
  quantity: number;
  addInfographics: number;
  beforeDiscount: number;
  percent_off: number | null;
  discount: number;
  firstCharge: number;
  firstChargeAt: number;
  dueNow: number;
  trialEndsAt: number | null;
  renewal: { price: number; months: number } | null;
  needsPaymentMethod: boolean;
  switch: WireSwitch | null;
}

interface WireChargeResult {
  status: 'paid' | 'pending' | 'declined' | 'requires_action';
  chargeId: string | null;
  checkout: string;
  landingPageVariant: null;
  infographicsUrl: string | null;
  buffer: null;
  error: string | null;
  notLoggedIn: boolean;
  requiresAction: boolean;
  clientSecret: string | null;
  planId: string;
  planName: string;
  amount: number;
  receiptUrl: string | null;
  trialEndsAt: number | null;
  nextCharge: { at: number; amount: number } | null;
}

interface WireOrder {
  planId: string;
  quantity?: number;
  addInfographics?: number;
  couponCode?: string;
  email?: string;
  dueNow?: number;
  gift?: boolean;
  rId?: string;
  senderName?: string;
  recipientName?: string;
  recipientEmail?: string;
  recipientMsg?: string;
}

declare module '@/api/schema.gen' {
  interface paths {
    '/api/charge/settings': Get<WireSettings, { query?: never }>;
    '/api/charge/price': Post<WireQuote, { planId: string; quantity?: number; addInfographics?: number; email?: string }>;
    '/api/charge/coupon': Post<WireQuote, { coupon: string; planId: string; quantity?: number; addInfographics?: number; email?: string }>;
    '/api/charge/process/{planId}': PostTo<WireChargeResult, WireOrder & { token?: string; paymentMethod?: 'card' }, { planId: string }>;
    '/api/charge/confirm': Post<WireChargeResult, { checkout: string }>;
    '/api/charge/sandbox/authenticate': Post<Record<string, never>, { clientSecret: string; succeeds: boolean }>;
    '/api/charge/checkout/{reference}': Get<WireChargeResult, { path: { reference: string }; query?: { chargeId?: string } }>;
    '/api/paypal/order': Post<{ orderId: string | null; subscriptionId: string | null; approveUrl: string }, WireOrder>;
    '/api/paypal': Post<WireChargeResult, WireOrder & { orderId?: string; subscriptionId?: string }>;
    '/api/user/mark-as-paid': Post<Record<string, never>, { chargeId: string }>;
  }
}

export {};
