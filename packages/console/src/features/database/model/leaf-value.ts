import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Priority } from '../../../api/data.ts';

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
export const VALUE_KINDS = ['string', 'number', 'boolean', 'json'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** A value as the user types it: a string without quotes, anything else as JSON. */
export interface ValueDraft {
  readonly kind: ValueKind;
  readonly text: string;
}

/** The value of a draft, or the reason why it is invalid. */
export type ParsedDraft =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly problem: 'number' | 'json' };

export function parseDraft({ kind, text }: ValueDraft): ParsedDraft {
  switch (kind) {
    case 'string':
      return { kind: 'value', value: text };
    case 'boolean':
      return { kind: 'value', value: text === 'true' };
    case 'number': {
      const value = parseOrUndefined(text.trim());
      const isNumber = typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
      return isNumber ? { kind: 'value', value } : { kind: 'problem', problem: 'number' };
    }
    case 'json': {
      const value = parseOrUndefined(text);
      return value === undefined ? { kind: 'problem', problem: 'json' } : { kind: 'value', value };
    }
    default:
      return kind satisfies never;
  }
}

/** Returns the draft with which the editor of a value starts. */
export function draftOf(value: unknown): ValueDraft {
  switch (typeof value) {
    case 'string':
      return { kind: 'string', text: value };
    case 'number':
    case 'bigint':
      return { kind: 'number', text: String(value) };
    case 'boolean':
      return { kind: 'boolean', text: String(value) };
    default:
      return value === null ? { kind: 'string', text: '' } : { kind: 'json', text: printExact(value) };
  }
}

/** Converts a draft to another type and keeps its text where possible. */
export function changeKind({ kind: before, text }: ValueDraft, kind: ValueKind): ValueDraft {
  switch (kind) {
    case 'boolean':
      return { kind, text: String(text.trim() === 'true') };
    case 'json':
      return { kind, text: before === 'string' ? JSON.stringify(text) : text };
    case 'string':
    case 'number':
      return { kind, text };
    default:
      return kind satisfies never;
  }
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
