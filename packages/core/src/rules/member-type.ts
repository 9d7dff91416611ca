import type { Member, Subscript } from './expression.ts';
import { findMembers } from './members.ts';
import { didYouMean } from './nearest-name.ts';
import { quoteName } from './quote.ts';
import type { Report } from './report.ts';
import { type RuleType, SUBSCRIPTS } from './rule-type.ts';

const NOT_AN_OBJECT = 'Invalid property access: target is not an object.';

/** The type of `target.name` where it is not called; reports what the target does not have. */
export function memberType({ target, name, nameSpan }: Member, type: RuleType, report: Report): RuleType {
  if (type === 'unknown') return 'unknown';
  const members = findMembers(type);
  if (members === undefined) {
    report(target.span.start, NOT_AN_OBJECT);
    return 'unknown';
  }
  const member = members.get(name);
  if (member?.kind === 'property') return member.type;
  // Anything may be in a token, even under the name of a method.
  if (type === 'auth') return 'auth';
  if (member?.kind === 'method') return 'method';
  report(nameSpan.start, `No such method/property ${quoteName(name)}.`, () =>
    didYouMean(name, members.keys()),
  );
  return 'unknown';
}

/** The type of `target[key]`, which only `auth` and what is within have; reports any other use. */
export function subscriptType(
  { target, key }: Subscript,
  type: RuleType,
  keyType: RuleType,
  report: Report,
): RuleType {
  if (type === 'unknown') return 'unknown';
  if (findMembers(type) === undefined) report(target.span.start, NOT_AN_OBJECT);
  else if (type !== 'auth' || !SUBSCRIPTS.has(keyType)) report(key.span.start, 'Invalid property access.');
  return type === 'auth' ? 'auth' : 'unknown';
}
