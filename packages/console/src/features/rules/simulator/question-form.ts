import type { Json } from './parse-json.ts';
import { parseJson } from './parse-json.ts';

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
