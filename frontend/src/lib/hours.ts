/** The hours of a day. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** 7 → '07:00' */
export const clockOf = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
