const UNITS: Readonly<Record<string, number>> = {
  bytes: 1,
  KB: 1_000,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  days: 86_400_000,
};

/**
 * Returns the first amount in a documented text, such as `64 MiB`, `within 0.7 ms` or `1,000 keys`: in bytes for a
 * size, in ms for a time, and otherwise the number itself. Returns `NaN` if there is none.
 */
export function parseAmount(text: string): number {
  const [, digits = '', unit = ''] = /(\d[\d,]*(?:\.\d+)?)(?: ([A-Za-z]+))?/.exec(text) ?? [];
  return digits === '' ? Number.NaN : Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1);
}

/** Converts the value of a constant to the same units, by the unit in its name. Returns `NaN` if it is not a number. */
export function amountOf(name: string, value: unknown): number {
  if (typeof value !== 'number') return Number.NaN;
  if (/(_SEC|Sec)$/.test(name)) return value * 1_000;
  return /(_DAYS|Days|\.days)$/.test(name) ? value * 86_400_000 : value;
}
