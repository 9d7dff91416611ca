import { RequestError } from '../../error/request-error.ts';
import { parseDraft, parsePriority } from '../../tree/draft.ts';
import { parseKey } from '../../tree/key.ts';
import { replaceAt, replacePriorityAt, type TreeNode } from '../../tree/node.ts';
import { parseWritePath, type WriteTarget } from '../../tree/path.ts';
import type { Draft } from '../../tree/server-value.ts';
import type { DraftWrite } from '../evaluate/operation.ts';
import type { DocumentValue } from '../syntax/document.ts';
import type { DocumentReader } from './reader.ts';

/** Returns the write of `value` to `target`. Reports an invalid value. */
export function readWrite(
  reader: DocumentReader,
  target: WriteTarget,
  value: DocumentValue,
): DraftWrite | undefined {
  const { path } = target;
  if (target.isPriority) {
    const priority = reader.attempt(value.offset, () => ({ given: parsePriority(reader.json(value)) }));
    return priority && { kind: 'priority', path, priority: priority.given };
  }
  const draft = readDraft(reader, value, path.length);
  return draft && { kind: 'node', path, draft };
}

/** Reads the data of a whole database. */
export function readData(reader: DocumentReader, value: DocumentValue): TreeNode | null {
  return requireData(reader, value, readDraft(reader, value, 0));
}

/** Returns the data with some paths replaced. The properties of `value` map paths to new values. */
export function readOverlay(
  reader: DocumentReader,
  data: TreeNode | null,
  value: DocumentValue,
): TreeNode | null {
  let result = data;
  for (const property of reader.properties(value, '"with"')) {
    const target = reader.attempt(property.offset, () => parseWritePath(property.name));
    const write = target && readWrite(reader, target, property.value);
    if (write?.kind === 'node')
      result = replaceAt(result, write.path, requireData(reader, property.value, write.draft));
    else if (write?.kind === 'priority' && (write.priority === null || typeof write.priority !== 'object'))
      result = replacePriorityAt(result, write.path, write.priority);
    else if (write !== undefined) reportPlaceholder(reader, property.value);
  }
  return result;
}

function requireData(
  reader: DocumentReader,
  value: DocumentValue,
  draft: Draft | undefined,
): TreeNode | null {
  if (draft?.kind === 'pending') reportPlaceholder(reader, value);
  return draft?.kind === 'resolved' ? draft.node : null;
}

function reportPlaceholder(reader: DocumentReader, { offset }: DocumentValue): void {
  reader.report(offset, 'Existing data must not contain ".sv". Only a written value may contain it.');
}

function readDraft(reader: DocumentReader, value: DocumentValue, depth: number): Draft | undefined {
  const json = reader.json(value);
  try {
    return parseDraft(json, depth);
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    return reader.report(findInvalidPart(reader, value, depth), cause.message);
  }
}

/** Returns the offset of the innermost part of a value that is invalid on its own. */
function findInvalidPart(reader: DocumentReader, value: DocumentValue, depth: number): number {
  if (value.kind !== 'object') return value.offset;
  for (const { name, offset, value: part } of value.properties) {
    if (name.startsWith('.')) continue;
    if (isInvalid(() => parseKey(name))) return offset;
    if (isInvalid(() => parseDraft(reader.json(part), depth + 1)))
      return findInvalidPart(reader, part, depth + 1);
  }
  return value.offset;
}

function isInvalid(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (cause) {
    if (cause instanceof RequestError) return true;
    throw cause;
  }
}
