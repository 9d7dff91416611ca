import { Refusal } from '../fault/refusal.ts';
import { type DocumentValue, parseRulesDocument, RulesSyntaxError } from './rules-document.ts';

/** A rules document as JSON without comments. Refuses with `rules/invalid` what is no such document. */
export function strictRules(source: string): string {
  try {
    return encode(parseRulesDocument(source), source);
  } catch (cause) {
    if (!(cause instanceof RulesSyntaxError)) throw cause;
    throw new Refusal('rules/invalid', cause.message, { cause });
  }
}

function encode(value: DocumentValue, source: string): string {
  switch (value.kind) {
    case 'object': {
      const properties = value.properties.map(
        (property) => `${JSON.stringify(property.name)}:${encode(property.value, source)}`,
      );
      return `{${properties.join(',')}}`;
    }
    case 'array':
      return `[${value.items.map((item) => encode(item, source)).join(',')}]`;
    case 'string':
    case 'boolean':
      return JSON.stringify(value.value);
    case 'number':
      // As it was written: no rules that are in force have one.
      return source.slice(value.offset, value.end);
    case 'null':
      return 'null';
    default:
      return value satisfies never;
  }
}
