import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isTooDeep, MAX_IDENTITY_LEVELS } from '../identity/is-too-deep.ts';
import type { Credential } from '../identity/verifier.ts';

/** Reads a parameter with the identity that an administrator wants rules to be judged by: an object, or `null` for nobody. */
export function parseOverrideParameter(query: URLSearchParams, name: string): Pick<Credential, 'override'> {
  const [text, second] = query.getAll(name);
  if (text === undefined) return {};
  if (second !== undefined) throw new Refusal('http/parameter', `${name} must be given once.`);
  const override = parseOverride(text);
  if (override === undefined) throw new Refusal('http/parameter', `${name} must be a JSON object or null.`);
  if (isTooDeep(override))
    throw new Refusal('http/parameter', `${name} is nested deeper than ${MAX_IDENTITY_LEVELS} levels.`);
  return { override };
}

/** `undefined` for what is no JSON, or no object. */
function parseOverride(text: string): Readonly<Record<string, unknown>> | null | undefined {
  try {
    const json = parseJsonText(text);
    return typeof json === 'object' && !Array.isArray(json)
      ? (json as Readonly<Record<string, unknown>> | null)
      : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
