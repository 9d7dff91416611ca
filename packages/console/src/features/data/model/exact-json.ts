/** A value as JSON knows it, with integers that a double cannot hold as bigints. */
export type ExactValue = unknown;

/** JSON text with every digit of 64-bit integers; two spaces for each level unless `indent` says otherwise. */
export function printExact(value: ExactValue, indent = 2): string {
  return write(value, indent, '');
}

function write(value: ExactValue, indent: number, margin: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = margin + ' '.repeat(indent);
  const parts = Array.isArray(value)
    ? value.map((item) => write(item, indent, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${indent === 0 ? '' : ' '}${write(item, indent, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  if (indent === 0) return `${open}${parts.join(',')}${close}`;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}
