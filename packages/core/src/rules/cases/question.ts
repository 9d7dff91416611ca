import type { AuthObject } from '../evaluate/values.ts';
import { type DocumentValue, parseRulesDocument, RulesSyntaxError } from '../syntax/document.ts';
import type { Problem } from '../syntax/problems.ts';
import { type CaseOperation, OPERATION_KINDS, readOperation } from './operation.ts';
import { DocumentReader, type Fields, readAuth } from './reader.ts';

/** A request to explain why rules allow or deny an operation. */
export interface RuleQuestion {
  /** The variable `auth`. It is `null` for a caller that is not signed in. */
  readonly auth: AuthObject | null;
  readonly operation: CaseOperation;
  /** The rules to evaluate. `null` means the current rules. */
  readonly source: string | null;
}

export type ParsedQuestion =
  | { readonly kind: 'question'; readonly question: RuleQuestion }
  /** The problems are in no particular order. */
  | { readonly kind: 'wrong'; readonly problems: readonly Problem[] };

const FIELDS = ['auth', 'operation', 'path', 'value', 'query', 'source'] as const;

type QuestionFields = Fields<(typeof FIELDS)[number]>;

/**
 * Parses `{"auth"?, "operation", "path", "value"?, "query"?, "source"?}`. Reports every problem, or only the
 * first error if the text is not JSON.
 */
export function parseQuestion(text: string): ParsedQuestion {
  try {
    const reader = new DocumentReader(text);
    const question = readQuestion(reader, parseRulesDocument(text));
    const { problems } = reader;
    return question !== undefined && problems.length === 0
      ? { kind: 'question', question }
      : { kind: 'wrong', problems };
  } catch (cause) {
    if (cause instanceof RulesSyntaxError) return { kind: 'wrong', problems: [cause] };
    throw cause;
  }
}

function readQuestion(reader: DocumentReader, document: DocumentValue): RuleQuestion | undefined {
  reader.checkNames(document);
  const fields = reader.fields(document, 'The request', FIELDS);
  if (fields === undefined) return undefined;
  const operation = readAuthorizationRequest(reader, fields, document.offset);
  const auth = readCaller(reader, fields.get('auth')?.value);
  const source = fields.get('source')?.value;
  const draft = source === undefined ? null : reader.text(source, '"source"');
  if (operation === undefined || auth === undefined || draft === undefined) return undefined;
  return { auth, operation, source: draft };
}

function readAuthorizationRequest(
  reader: DocumentReader,
  fields: QuestionFields,
  offset: number,
): CaseOperation | undefined {
  const named = fields.get('operation')?.value;
  const kind = OPERATION_KINDS.find((known) => named?.kind === 'string' && named.value === known);
  if (kind === undefined)
    return reader.report(named?.offset ?? offset, '"operation" must be "read", "write" or "update".');
  const path = fields.get('path');
  if (path === undefined)
    return reader.report(offset, 'Missing "path": use an absolute path such as "/rooms/r1".');
  const asCase = new Map([[kind, path] as const]);
  return readOperation(
    reader,
    {
      has: (name) => (name === 'value' || name === 'query' ? fields.has(name) : asCase.has(name)),
      get: (name) => (name === 'value' || name === 'query' ? fields.get(name) : asCase.get(name)),
    },
    offset,
  );
}

function readCaller(reader: DocumentReader, value: DocumentValue | undefined): AuthObject | null | undefined {
  return value === undefined || value.kind === 'null' ? null : readAuth(reader, value);
}
