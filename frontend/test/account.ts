// Responses of the account's calls, for the tests of its parts.
import type { ResultOf } from '@/api/types';

type Security = ResultOf<'GET /api/user/security'>;
type Device = ResultOf<'GET /api/user/sessions'>['sessions'][number];

export const sampleSecurity = (more: Partial<Security> = {}): Security => ({
  emailConfirmed: true,
  hasPassword: true,
  pendingEmail: null,
  secondFactor: { totp: false, recoveryCodesLeft: 0, required: false, strong: false },
  passkeys: [],
  passkeysAvailable: true,
  providers: [],
  ...more,
});

export const sampleDevices = (): Device[] => [
  { id: 1, device: 'Chrome on Linux', place: 'This network', createdAt: 1, lastSeenAt: Date.now(), current: true },
  { id: 2, device: 'Safari on iPhone', place: 'Germany', createdAt: 1, lastSeenAt: Date.now() - 3_700_000, current: false },
];
