import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { type Path, parsePath } from '@hearth/core/tree/path.ts';

/** Refuses query parameters that mean nothing for a request, because whoever sends one expects it to count. */
export function mustKnowParameters(query: URLSearchParams, known: readonly string[]): void {
  const hint = known.length === 0 ? '' : `: use ${known.join(', ')}`;
  for (const name of query.keys())
    if (!known.includes(name))
      throw new Refusal('http/parameter', `There is no query parameter ${JSON.stringify(name)} here${hint}.`);
}

/** Reads `path`: keys with slashes between them, the root when it is left out. */
export function parsePathParameter(query: URLSearchParams): Path {
  return parsePath(query.get('path') ?? '');
}

/** Reads a parameter that is the key of a child, which need not exist. */
export function findKeyParameter(query: URLSearchParams, name: string): Key | undefined {
  const text = query.get(name);
  return text === null ? undefined : parseKey(text);
}

/** Reads `limit`: a whole number from 1 to `max`. */
export function parseLimitParameter(query: URLSearchParams, fallback: number, max: number): number {
  const text = query.get('limit');
  if (text === null) return fallback;
  const limit = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > max)
    throw new Refusal('http/parameter', `The query parameter limit must be a whole number from 1 to ${max}.`);
  return limit;
}

/** Reads a parameter with a few possible values, of which the first is meant when it is left out. */
export function parseChoiceParameter<T extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly [T, ...T[]],
): T {
  const text = query.get(name);
  if (text === null) return choices[0];
  const choice = choices.find((known) => known === text);
  if (choice === undefined)
    throw new Refusal(
      'http/parameter',
      `The query parameter ${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}.`,
    );
  return choice;
}
