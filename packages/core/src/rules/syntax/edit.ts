import type { RuleKind } from '../evaluate/rule-set.ts';
import { type DocumentValue, type Property, parseRulesDocument } from './document.ts';

/** One rule to set in a rules document. */
export interface RuleEdit {
  readonly kind: RuleKind;
  /** Names from the root to the rule's location. Wildcards include their `$`. */
  readonly location: readonly string[];
  readonly expression: string;
}

/**
 * Returns a rules document with one more expression in a rule: `expression || …` if the rule exists, or the expression
 * alone if it does not exist or is `false`. Adds the locations that are missing. Comments and white space stay. The
 * result may be invalid, for example if the rule ends in a comment. Throws `RulesSyntaxError` if the document is invalid.
 */
export function extendRule(source: string, edit: RuleEdit): string {
  const { properties } = requireObject(parseRulesDocument(source));
  const rules = requireObject(properties.find(({ name }) => name === 'rules')?.value);
  return extendIn(source, rules, edit.location, edit);
}

type ObjectValue = Extract<DocumentValue, { readonly kind: 'object' }>;

function extendIn(
  source: string,
  object: ObjectValue,
  location: readonly string[],
  { kind, expression }: RuleEdit,
): string {
  const [name, ...below] = location;
  const found = object.properties.find((property) => property.name === (name ?? `.${kind}`));
  if (found === undefined) return insertFirst(source, object, printProperty(location, kind, expression));
  if (name !== undefined)
    return extendIn(source, requireObject(found.value), below, { kind, location: below, expression });
  return replaceExpression(source, found, expression);
}

function requireObject(value: DocumentValue | undefined): ObjectValue {
  if (value?.kind !== 'object') throw new Error('Bug: the rules document is not valid');
  return value;
}

function replaceExpression(source: string, { value }: Property, expression: string): string {
  const before = source.slice(0, value.offset);
  if (value.kind === 'boolean') {
    const after = source.slice(value.offset + String(value.value).length);
    return `${before}${JSON.stringify(value.value ? `${expression} || true` : expression)}${after}`;
  }
  if (value.kind !== 'string') throw new Error('Bug: the rule is not an expression');
  // The text is kept as it is written, because it may have line breaks and comments.
  const rest = source.slice(value.offset + 1);
  if (value.value.trim() !== 'false') return `${before}"${escapeText(expression)} || (${closeAfter(rest)}`;
  return `${before}"${escapeText(expression)}${rest.slice(stringLength(rest))}`;
}

/** Returns the text after an opening quote, with a parenthesis before the closing quote. */
function closeAfter(rest: string): string {
  const length = stringLength(rest);
  return `${rest.slice(0, length)})${rest.slice(length)}`;
}

/** Returns the length of a string without its quotes, in the document. `rest` begins after the opening quote. */
function stringLength(rest: string): number {
  return /^(?:[^"\\]|\\.)*/.exec(rest)?.[0].length ?? 0;
}

function escapeText(expression: string): string {
  return JSON.stringify(expression).slice(1, -1);
}

function printProperty(location: readonly string[], kind: RuleKind, expression: string): string {
  const [name, ...below] = location;
  if (name === undefined) return `".${kind}": ${JSON.stringify(expression)}`;
  return `${JSON.stringify(name)}: { ${printProperty(below, kind, expression)} }`;
}

/** Inserts a property at the start of an object: on a line of its own, unless the object is on one line. */
function insertFirst(source: string, { offset, properties: [first] }: ObjectValue, property: string): string {
  const start = offset + 1 + trailingComment(source, offset + 1);
  const before = source.slice(0, start);
  const after = source.slice(start);
  if (first === undefined) return `${before}${start > offset + 1 ? '\n' : ''} ${property} ${after}`;
  const lineStart = source.lastIndexOf('\n', first.offset) + 1;
  if (lineStart <= offset) return `${before}${property}, ${after}`;
  const indent = /^[ \t]*/.exec(source.slice(lineStart))?.[0] ?? '';
  return `${before}\n${indent}${property},${after}`;
}

/** Returns the length of a comment that ends the line at an offset; 0 if there is none. */
function trailingComment(source: string, offset: number): number {
  return /^[ \t]*\/\/[^\n]*/.exec(source.slice(offset))?.[0].length ?? 0;
}
