import type { RegularExpression } from '../regular-expression.ts';

/** A pattern that means the same in JavaScript, where it may take long; so none that might. */
export function naiveRegExp({ source, ignoresCase }: RegularExpression): RegExp {
  return new RegExp(source, ignoresCase ? 'i' : '');
}
