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
  /** Fields whose content is not known, until the user enters it. They are empty, and the rules cannot be evaluated. */
  readonly omitted: readonly FormField[];
}

export const EMPTY_QUESTION: QuestionForm = {
  operation: 'read',
  path: '/',
  auth: '',
  value: 'null',
  query: '',
  omitted: [],
};

/**
 * Returns the operation and path as address parameters, and the ID of the denial that the operation is from. Other fields can
 * contain personal data, such as emails and claims, so the address only names those that are not empty.
 */
export function encodeQuestion(form: QuestionForm, denial?: number): URLSearchParams {
  const parameters = new URLSearchParams({ op: form.operation, path: form.path });
  if (denial !== undefined) parameters.set('denial', String(denial));
  const left = FIELDS.filter(
    (field) => isUsed(form, field) && (form[field] !== '' || form.omitted.includes(field)),
  );
  if (left.length > 0) parameters.set('without', left.join(','));
  return parameters;
}

/** Returns whether the rules can depend on a field. */
function isUsed({ operation }: QuestionForm, field: FormField): boolean {
  return field === 'auth' || (field === 'query') === (operation === 'read');
}

/** Returns the fields in an address; `undefined` if the address has no operation. */
export function decodeQuestion(parameters: URLSearchParams): QuestionForm | undefined {
  const operation = OPERATIONS.find((known) => known === parameters.get('op'));
  if (operation === undefined) return undefined;
  const without = parameters.get('without')?.split(',') ?? [];
  const omitted = FIELDS.filter((field) => without.includes(field));
  return {
    operation,
    path: parameters.get('path') ?? EMPTY_QUESTION.path,
    auth: '',
    value: omitted.includes('value') ? '' : EMPTY_QUESTION.value,
    query: '',
    omitted,
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

const FIELDS = ['auth', 'value', 'query'] as const;
export type FormField = (typeof FIELDS)[number];

export type ParsedForm =
  | { readonly kind: 'question'; readonly question: ReadQuestion }
  /** The fields that are omitted or not valid JSON. */
  | { readonly kind: 'wrong'; readonly fields: readonly FormField[] };

/** Parses the fields, or returns those that are omitted or not valid JSON. */
export function parseForm(form: QuestionForm): ParsedForm {
  const { operation, path, auth, value, query, omitted } = form;
  const parsed = {
    auth: auth.trim() === '' ? { json: null } : parseJson(auth),
    value: operation === 'read' ? { json: undefined } : parseJson(value),
    query: operation !== 'read' || query.trim() === '' ? { json: undefined } : parseJson(query),
  };
  const fields = FIELDS.filter(
    (field) => parsed[field] === undefined || (omitted.includes(field) && isUsed(form, field)),
  );
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
