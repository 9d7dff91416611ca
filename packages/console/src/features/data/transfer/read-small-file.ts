import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { MAX_TEXT_BYTES, type NodeChange } from '../../../server/data-nodes.ts';
import type { ImportMode } from '../../../server/data-transfer.ts';
import { TooLarge } from '../edit/change-nodes.ts';
import { printExact } from '../model/exact-json.ts';
import { joinPath, type NodePath } from '../model/node-path.ts';

/** What a small file is to change where it is imported. */
export interface FileChanges {
  readonly changes: readonly NodeChange[];
  /** Do they take the place of the node, and not of children of it? */
  readonly areWhole: boolean;
}

/** Reads a file of JSON as it would be imported. Rejects with `TooLarge`, or a `SyntaxError` for what is no JSON. */
export async function readSmallFile(path: NodePath, mode: ImportMode, file: Blob): Promise<FileChanges> {
  if (file.size > MAX_TEXT_BYTES) throw new TooLarge();
  const json = parseJsonText(await file.text());
  if (mode === 'replace' || typeof json !== 'object' || json === null || '.value' in json)
    return { changes: [{ path, text: printExact(json, 0) }], areWhole: true };
  const changes = Object.entries(json)
    .filter(([key]) => key !== '.priority')
    .map(([key, member]) => ({ path: joinPath(path, key), text: printExact(member, 0) }));
  return { changes, areWhole: false };
}
