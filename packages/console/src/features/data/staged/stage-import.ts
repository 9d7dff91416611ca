import type { ImportMode } from '../../../server/data-transfer.ts';
import type { NodePath } from '../model/node-path.ts';
import { readSmallFile } from '../transfer/read-small-file.ts';
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
  const { changes, areWhole } = await readSmallFile(path, mode, file);
  if (!areWhole) await mustHold(desk, path);
  if (changes.length > MAX_STAGED) throw new StageFull();
  await stageChanges(desk, changes, (count) => onProgress(count / changes.length));
}
