// The counted reading time in the browser's storage, which all tabs share.
import { readStored, writeStored } from '@/lib/browserStore';
import { newDeviceId } from '@/shared/positions/places';
import { emptyTime } from '@/shared/readingTime/countedTime';
import type { DeviceTime } from '@/shared/readingTime/countedTime';

const KEY = 'reading-time';

function isTime(value: unknown): value is DeviceTime {
  if (typeof value !== 'object' || value === null) return false;
  const { member, device, days, until, sent } = value as Partial<DeviceTime>;
  const isDays = (one: unknown) => typeof one === 'object' && one !== null && Object.values(one).every((number) => typeof number === 'number');
  return typeof member === 'number' && typeof device === 'string' && typeof until === 'number' && isDays(days) && isDays(sent);
}

/** The member's time on this device; null when there is none. */
export function storedTime(member: number): DeviceTime | null {
  try {
    const stored: unknown = JSON.parse(readStored('local', KEY) ?? 'null');
    return isTime(stored) && stored.member === member ? stored : null;
  } catch {
    return null;
  }
}

/** Changes the member's time; another member's is replaced. */
export function changeTime(member: number, change: (time: DeviceTime) => DeviceTime): void {
  writeStored('local', KEY, JSON.stringify(change(storedTime(member) ?? emptyTime(member, newDeviceId()))));
}

export const removeTime = (): void => writeStored('local', KEY, null);
