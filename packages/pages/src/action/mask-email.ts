/**
 * An e-mail address that its owner recognizes and nobody else can use: the first letter, the last one of longer names, and
 * the domain.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return '•••';
  const name = [...email.slice(0, at)];
  const last = name.length > 3 ? name.at(-1) : '';
  return `${name[0]}•••${last}${email.slice(at)}`;
}
