import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Account } from '../../../api/accounts.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Parses JSON with numbers as rules see them; `undefined` if the text is invalid. */
function parseJson(text: string): { readonly json: Json } | undefined {
  try {
    return { json: withDoubles(parseJsonText(text)) };
  } catch {
    return undefined;
  }
}

/** Returns a parsed JSON value with `bigint` integers converted to doubles, because rules have no other numbers. */
export function withDoubles(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDoubles(part)]));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

export const OPERATIONS = ['read', 'write', 'update'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The fields of the simulator, as typed. */
export interface QuestionForm {
  readonly operation: Operation;
  readonly path: string;
  /** The variable `auth` as JSON; empty for an anonymous caller. */
  readonly auth: string;
  /** The written value, as JSON. */
  readonly value: string;
  /** The query of a read, as JSON; empty for none. */
  readonly query: string;
}

export const EMPTY_QUESTION: QuestionForm = {
  operation: 'read',
  path: '/',
  auth: '',
  value: 'null',
  query: '',
};

/** Maximum length of a value in the address, in UTF-16 code units, because browsers and servers limit addresses. */
const MAX_IN_ADDRESS = 2_000;

/** Returns the fields as address parameters. Omits a value that is too long. */
export function encodeQuestion(form: QuestionForm): URLSearchParams {
  const parameters = new URLSearchParams({ op: form.operation, path: form.path });
  if (form.auth !== '') parameters.set('as', form.auth);
  if (form.operation === 'read') {
    if (form.query !== '') parameters.set('query', form.query);
  } else if (form.value.length <= MAX_IN_ADDRESS) parameters.set('value', form.value);
  return parameters;
}

/** Returns the fields in an address; `undefined` if the address has no operation. */
export function decodeQuestion(parameters: URLSearchParams): QuestionForm | undefined {
  const operation = OPERATIONS.find((known) => known === parameters.get('op'));
  if (operation === undefined) return undefined;
  return {
    operation,
    path: parameters.get('path') ?? EMPTY_QUESTION.path,
    auth: parameters.get('as') ?? '',
    value: parameters.get('value') ?? EMPTY_QUESTION.value,
    query: parameters.get('query') ?? '',
  };
}

/** An operation that rules decide, with parsed JSON. `auth` is `null` for an anonymous caller. */
export interface ReadQuestion {
  readonly operation: Operation;
  readonly path: string;
  readonly auth: Json;
  readonly value?: Json;
  readonly query?: Json;
}

export type FormField = 'auth' | 'value' | 'query';

export type ParsedForm =
  | { readonly kind: 'question'; readonly question: ReadQuestion }
  /** The fields that are not valid JSON. */
  | { readonly kind: 'wrong'; readonly fields: readonly FormField[] };

/** Parses the fields, or returns those that are not valid JSON. */
export function parseForm({ operation, path, auth, value, query }: QuestionForm): ParsedForm {
  const parsed = {
    auth: auth.trim() === '' ? { json: null } : parseJson(auth),
    value: operation === 'read' ? { json: undefined } : parseJson(value),
    query: operation !== 'read' || query.trim() === '' ? { json: undefined } : parseJson(query),
  };
  const fields = (['auth', 'value', 'query'] as const).filter((field) => parsed[field] === undefined);
  if (fields.length > 0) return { kind: 'wrong', fields };
  return {
    kind: 'question',
    question: {
      operation,
      path,
      auth: parsed.auth?.json ?? null,
      ...(parsed.value?.json === undefined ? {} : { value: parsed.value.json }),
      ...(parsed.query?.json === undefined ? {} : { query: parsed.query.json }),
    },
  };
}

/** Returns the variable `auth` of a user who has signed in to an account with its first provider. */
export function authOfAccount(account: Account): Readonly<Record<string, unknown>> {
  const { localId, email, emailVerified, phoneNumber, displayName, customAttributes } = account;
  const provider = account.providerUserInfo?.[0]?.providerId ?? 'custom';
  const claims = customAttributes === undefined ? undefined : parseJson(customAttributes)?.json;
  return {
    uid: localId,
    provider,
    token: {
      sub: localId,
      user_id: localId,
      ...(displayName === undefined ? {} : { name: displayName }),
      ...(email === undefined ? {} : { email, email_verified: emailVerified ?? false }),
      ...(phoneNumber === undefined ? {} : { phone_number: phoneNumber }),
      firebase: { sign_in_provider: provider, identities: {} },
      ...(typeof claims === 'object' && claims !== null ? claims : {}),
    },
  };
}
