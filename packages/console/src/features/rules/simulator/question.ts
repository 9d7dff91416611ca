import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Account } from '../../../api/accounts.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What a text in JSON says, numbers as rules see them; `undefined` for what is none. */
function parseJson(text: string): { readonly json: Json } | undefined {
  try {
    return { json: withDoubles(parseJsonText(text)) };
  } catch {
    return undefined;
  }
}

/** JSON as rules see it: they have no numbers but doubles. */
export function withDoubles(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDoubles(part)]));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

export const OPERATIONS = ['read', 'write', 'update'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What the fields of the simulator say, as they were typed. */
export interface QuestionForm {
  readonly operation: Operation;
  readonly path: string;
  /** The variable `auth` as JSON; empty for a guest. */
  readonly auth: string;
  /** What is written, as JSON. */
  readonly value: string;
  /** What a read asks for, as JSON; empty for everything. */
  readonly query: string;
}

export const EMPTY_QUESTION: QuestionForm = {
  operation: 'read',
  path: '/',
  auth: '',
  value: 'null',
  query: '',
};

/** Longest field that an address holds, in characters: browsers and servers cut longer ones. */
const MAX_IN_ADDRESS = 2_000;

/** The fields as parameters of the address. One that is too long for it is left out. */
export function encodeQuestion(form: QuestionForm): URLSearchParams {
  const parameters = new URLSearchParams({ op: form.operation, path: form.path });
  if (form.auth !== '') parameters.set('as', form.auth);
  if (form.operation === 'read') {
    if (form.query !== '') parameters.set('query', form.query);
  } else if (form.value.length <= MAX_IN_ADDRESS) parameters.set('value', form.value);
  return parameters;
}

/** The fields that an address tells of; `undefined` if it tells of none. */
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
  /** Fields that are no JSON. */
  | { readonly kind: 'wrong'; readonly fields: readonly FormField[] };

/** Reads the fields; which of them are no JSON is told. */
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

/** The variable `auth` of somebody who has signed in to an account in one of its ways. */
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
