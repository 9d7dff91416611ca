import { parseCaseFile } from '@hearth/core/rules/cases/parse-case-file.ts';
import type { RuleCase } from '@hearth/core/rules/cases/rule-case.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { StartFailure } from '../ops/start-failure.ts';
import type { SourceText } from './rules-source.ts';

/** What options say of an operation; `null` for what is not given. */
export interface OperationFlags {
  readonly as: string | null;
  readonly read: string | null;
  readonly write: string | null;
  readonly update: string | null;
  readonly value: string | null;
  readonly query: string | null;
}

const KINDS = ['read', 'write', 'update'] as const;

/** The operation that options name, on data in export form. Throws a `StartFailure`. */
export function parseOperationFlags(flags: OperationFlags, data: SourceText): RuleCase {
  mustBeJson(data.source, data.name);
  const text = caseText(flags, data.source);
  const parsed = parseCaseFile(text);
  const [only] = parsed.kind === 'cases' ? parsed.cases : [];
  if (only !== undefined) return only;
  const messages = parsed.kind === 'wrong' ? parsed.problems.map(({ message }) => message) : [];
  throw new StartFailure(`The operation is wrong. ${messages.join(' ')}`);
}

/** The body that asks a server to explain the operation. `source` is that of draft rules, if they are meant. */
export function explainBody(flags: OperationFlags, { auth }: RuleCase, source: string | null): string {
  const operation = KINDS.find((kind) => flags[kind] !== null) ?? 'read';
  const fields = [
    ['auth', JSON.stringify(auth)],
    ['operation', JSON.stringify(operation)],
    ['path', JSON.stringify(flags[operation])],
    ['value', flags.value],
    ['query', flags.query],
    ['source', source === null ? null : JSON.stringify(source)],
  ] as const;
  return objectText(fields);
}

function caseText(flags: OperationFlags, data: string): string {
  mustBeJson(flags.value, '--value');
  mustBeJson(flags.query, '--query');
  const only = objectText([
    ['as', flags.as === null ? null : identityText(flags.as)],
    ...KINDS.map((kind) => [kind, flags[kind] === null ? null : JSON.stringify(flags[kind])] as const),
    ['value', flags.value],
    ['query', flags.query],
    ['expect', '"allow"'],
  ]);
  return `{"data":${data},"cases":[${only}]}`;
}

function identityText(as: string): string {
  if (!as.startsWith('{')) return JSON.stringify(as);
  mustBeJson(as, '--as');
  return as;
}

/** A JSON object of members that are JSON text; without those that are `null`. */
function objectText(members: readonly (readonly [name: string, json: string | null])[]): string {
  const present = members.filter(([, json]) => json !== null);
  return `{${present.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

function mustBeJson(text: string | null, name: string): void {
  if (text === null) return;
  try {
    parseJsonText(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new StartFailure(`${name} must be JSON, such as {"a":1} or "text": ${cause.message}.`, cause);
  }
}
