import type { QueryIndex } from '@hearth/core/query/query.ts';
import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { type IndexValue, indexValueOf } from '@hearth/core/tree/order.ts';
import type { KvWrite } from '../kv/store.ts';
import type { OpenContainer, PendingText } from './builder-state.ts';
import { MAX_BUILT_AT_ONCE, writePriorityEntries } from './index-maintenance.ts';

const COMMA = 0x2c;

/** Sorts the members of a container by key. They must be the end of the text. */
export function sortChildren(container: OpenContainer, text: PendingText): void {
  const { children } = container;
  children.sort((a, b) => compareKeys(a.key, b.key));
  const first = container.start + 1;
  const source = Buffer.from(text.view(first, text.length));
  text.truncate(first);
  for (const child of children) {
    if (text.length > first) text.appendByte(COMMA);
    const shift = text.length - child.start;
    text.append(source, child.start - first, child.end - first);
    child.start += shift;
    child.valueStart += shift;
    child.end += shift;
  }
}

/** Removes the first bytes of the text, which have become entries, and moves the positions of the containers. */
export function dropText(containers: readonly OpenContainer[], text: PendingText, bytes: number): void {
  text.dropFront(bytes);
  for (const container of containers) {
    container.start -= bytes;
    container.memberStart -= bytes;
    for (const child of container.children) {
      child.start -= bytes;
      child.valueStart -= bytes;
      child.end -= bytes;
    }
  }
}

/** Returns the index value of a container, or `undefined` if this would require reading the whole text again. */
export function findIndexValue(
  container: OpenContainer,
  text: PendingText,
  index: QueryIndex,
): IndexValue | undefined {
  if (index.kind === 'priority') return container.priority?.value ?? null;
  if (index.kind !== 'child' || index.path.length !== 1 || container.filled !== null) return undefined;
  const child = container.children.find(({ key }) => key === index.path[0]);
  if (child === undefined) return null;
  return indexValueOf(parseNodeJson(text.view(child.valueStart, child.end).toString()));
}

/** Returns the path of the innermost of open containers. `path` is that of the outermost. */
export function innermostPath(path: readonly Key[], open: readonly OpenContainer[]): Key[] {
  return [...path, ...open.slice(1).flatMap(({ key }) => key ?? [])];
}

/** Starts the priority index of a container that is a node, at the first child that has a priority. */
export function startPriorityIndex(tx: KvWrite, { filled, childCount }: OpenContainer): void {
  if (filled === null) return;
  filled.priorityIndex = childCount < MAX_BUILT_AT_ONCE ? 'kept' : 'later';
  if (filled.priorityIndex === 'kept') writePriorityEntries(tx, filled.node);
}
