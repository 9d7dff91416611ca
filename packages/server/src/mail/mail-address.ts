/** One address without a name; what a mail server makes of it is its own business. */
export function isMailAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 254 && /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(value);
}
