const SHOWN_DIGITS = 4;

/** A phone number of which the last digits are left; what is hidden already stays so. */
export function maskPhone(number: string): string {
  const shown = number.replace(/\D/g, '').slice(-SHOWN_DIGITS);
  return `•••• ${shown}`;
}
