import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { MAX_TEXT_BYTES } from '../../../server/data-nodes.ts';
import type { ImportMode } from '../../../server/data-transfer.ts';
import { TooLarge } from '../edit/change-nodes.ts';
import { printExact } from '../model/exact-json.ts';
import { joinPath, type NodePath } from '../model/node-path.ts';
import { mustHold, type StageDesk, StageFull, stageChanges } from './stage-nodes.ts';
import { MAX_STAGED } from './staged-list.ts';

/**
 * Stages what is in a small file, as it would be imported, telling what share of it is done. Rejects with `TooLarge`,
 * `StageFull`, or a `SyntaxError` for what is no JSON.
 */
export async function stageImport(
  desk: StageDesk,
  path: NodePath,
  mode: ImportMode,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<void> {
  if (file.size > MAX_TEXT_BYTES) throw new TooLarge();
  const json = parseJsonText(await file.text());
  const isWhole = mode === 'replace' || typeof json !== 'object' || json === null || '.value' in json;
  if (!isWhole) await mustHold(desk, path);
  const changes = isWhole
    ? [{ path, text: printExact(json, 0) }]
    : Object.entries(json)
        .filter(([key]) => key !== '.priority')
        .map(([key, member]) => ({ path: joinPath(path, key), text: printExact(member, 0) }));
  if (changes.length > MAX_STAGED) throw new StageFull();
  await stageChanges(desk, changes, (count) => onProgress(count / changes.length));
}
