/** Reasons for cancelling: the values of support.cancel-reasons, in its order, worded in the first person. */
export const CANCEL_REASONS = [
  { value: 'too expensive', label: 'It is too expensive' },
  { value: 'not using', label: 'I do not use it' },
  { value: 'using other app', label: 'I use another app' },
  { value: 'not using it right now', label: 'I am not using it right now' },
  { value: 'not working', label: 'It does not work as it should' },
  { value: 'no autorenewals', label: 'I do not want automatic renewals' },
  { value: 'no android app', label: 'There is no Android app' },
  { value: 'other', label: 'Something else' },
] as const;
