import { NaiveFault, type NaiveValue } from './naive-value.ts';

/** A method of a string. */
export function callStringMethod(text: string, name: string, args: readonly NaiveValue[]): NaiveValue {
  const [first, second] = args;
  switch (name) {
    case 'contains':
      return text.includes(mustBeString(first));
    case 'beginsWith':
      return text.startsWith(mustBeString(first));
    case 'endsWith':
      return text.endsWith(mustBeString(first));
    case 'replace':
      return text.split(mustBeString(first)).join(mustBeString(second));
    case 'toLowerCase':
      return text.toLowerCase();
    case 'toUpperCase':
      return text.toUpperCase();
    case 'matches':
      return first instanceof RegExp && first.test(text);
    default:
      throw new NaiveFault(`no method ${name}`);
  }
}

function mustBeString(value: NaiveValue | undefined): string {
  if (typeof value !== 'string') throw new NaiveFault('no string');
  return value;
}
