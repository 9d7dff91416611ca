import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Priority } from '../../../api/data.ts';
import { findRoundedNumber, isExact } from './exact-numbers.ts';

/** A JSON value. Integers that a double cannot represent are bigints. */
export type ExactValue = unknown;

/** Prints JSON with every digit of 64-bit integers. `indent` is the number of spaces per level; 0 prints one line. */
export function printExact(value: ExactValue, indent = 2): string {
  return write(value, indent, '');
}

function write(value: ExactValue, indent: number, margin: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = margin + ' '.repeat(indent);
  const parts = Array.isArray(value)
    ? value.map((item) => write(item, indent, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${indent === 0 ? '' : ' '}${write(item, indent, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  if (indent === 0) return `${open}${parts.join(',')}${close}`;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}

/** Types that the user can choose for a value. */
export const VALUE_KINDS = ['string', 'escaped', 'number', 'boolean', 'json'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/**
 * A value as the user types it: a string without quotes, anything else as JSON. The kind `escaped` is a string too, with the
 * escape sequences of JSON for the characters that a text field cannot hold.
 */
export interface ValueDraft {
  readonly kind: ValueKind;
  readonly text: string;
}

/** Why a draft is invalid; `digits`: a number has more digits than the stored number would have. */
export type DraftProblem = 'number' | 'digits' | 'json' | 'escape';

/** The value of a draft, or the reason why it is invalid. */
export type ParsedDraft =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly problem: DraftProblem };

export function parseDraft({ kind, text }: ValueDraft): ParsedDraft {
  switch (kind) {
    case 'string':
      return { kind: 'value', value: text };
    case 'escaped': {
      const value = unescapeText(text);
      return value === undefined ? { kind: 'problem', problem: 'escape' } : { kind: 'value', value };
    }
    case 'boolean':
      return { kind: 'value', value: text === 'true' };
    case 'number': {
      const value = parseOrUndefined(text.trim());
      const isNumber = typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
      if (!isNumber) return { kind: 'problem', problem: 'number' };
      return isExact(text.trim()) ? { kind: 'value', value } : { kind: 'problem', problem: 'digits' };
    }
    case 'json': {
      const value = parseOrUndefined(text);
      if (value === undefined) return { kind: 'problem', problem: 'json' };
      return findRoundedNumber(text) === undefined
        ? { kind: 'value', value }
        : { kind: 'problem', problem: 'digits' };
    }
    default:
      return kind satisfies never;
  }
}

/** Characters that a text field drops, replaces or does not show. It keeps tabs and line feeds, but no carriage returns. */
const UNTYPABLE = /[^\n\t\P{Cc}]|\p{Cs}/u;

/** Writes a backslash, and characters that a text field cannot hold, as escape sequences of JSON. */
function escapeText(text: string): string {
  return text.replace(new RegExp(`\\\\|${UNTYPABLE.source}`, 'gu'), (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    if (escaped !== character) return escaped;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Returns the string of a text with escape sequences of JSON; `undefined` if one of them is invalid. */
function unescapeText(text: string): string | undefined {
  const inQuotes = text.replace(/\\[\s\S]|["\p{Cc}]/gu, (part) =>
    part.startsWith('\\') ? part : JSON.stringify(part).slice(1, -1),
  );
  const value = parseOrUndefined(`"${inQuotes}"`);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the draft with which the editor of a value starts. */
export function draftOf(value: unknown): ValueDraft {
  switch (typeof value) {
    case 'string':
      return UNTYPABLE.test(value)
        ? { kind: 'escaped', text: escapeText(value) }
        : { kind: 'string', text: value };
    case 'number':
    case 'bigint':
      return { kind: 'number', text: String(value) };
    case 'boolean':
      return { kind: 'boolean', text: String(value) };
    default:
      return value === null ? { kind: 'string', text: '' } : { kind: 'json', text: printExact(value) };
  }
}

/**
 * Converts a draft to another type and keeps its text where possible. A string that a text field cannot hold stays `escaped`
 * instead of becoming `string`.
 */
export function changeKind(draft: ValueDraft, kind: ValueKind): ValueDraft {
  const string = stringOf(draft);
  switch (kind) {
    case 'boolean':
      return { kind, text: String(draft.text.trim() === 'true') };
    case 'json':
      return { kind, text: string === undefined ? draft.text : JSON.stringify(string) };
    case 'string':
      return draftOf(string ?? draft.text);
    case 'escaped':
      return { kind, text: escapeText(string ?? draft.text) };
    case 'number':
      return { kind, text: string ?? draft.text };
    default:
      return kind satisfies never;
  }
}

/** Returns the string that a draft means; `undefined` if it means another value or is invalid. */
function stringOf(draft: ValueDraft): string | undefined {
  const parsed = parseDraft(draft);
  return parsed.kind === 'value' && typeof parsed.value === 'string' ? parsed.value : undefined;
}

/** Returns whether a draft would store another value than `value`. An absent value is `null`. */
export function isDraftOfOther(draft: ValueDraft, value: unknown): boolean {
  const first = draftOf(value);
  if (draft.kind === first.kind && draft.text === first.text) return false;
  const parsed = parseDraft(draft);
  return parsed.kind === 'problem' || printExact(parsed.value, 0) !== printExact(value, 0);
}

/** Parses the value and priority of a node in export format. The priority of an object stays part of its value. */
export function readLeaf(text: string): { readonly value: unknown; readonly priority: Priority } {
  const json = parseJsonText(text);
  if (typeof json !== 'object' || json === null || !('.value' in json))
    return { value: json, priority: null };
  const priority = '.priority' in json ? json['.priority'] : null;
  const isPriority =
    typeof priority === 'string' || typeof priority === 'number' || typeof priority === 'bigint';
  return { value: json['.value'], priority: isPriority ? priority : null };
}

/** Prints a value with the priority of its node in export format. If the value is `null`, the priority is omitted. */
export function printLeaf(value: unknown, priority: Priority): string {
  if (priority === null || value === null) return printExact(value, 0);
  if (typeof value === 'object') return printExact({ ...value, '.priority': priority }, 0);
  return printExact({ '.value': value, '.priority': priority }, 0);
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
