// Typed amounts of money.

/** '59.99', '$1,200' or '5' → cents; null when the text is not an amount. */
export function centsOf(text: string): number | null {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '');
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null;
}

/** Cents → '59.99', for a field and for CSV files. */
export const amountText = (cents: number): string => (cents / 100).toFixed(2);
