import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import Box from '@mui/material/Box';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_TEXT_BYTES, type NodeChange } from '../../../api/data-nodes.ts';
import { type ImportMode, importFile } from '../../../api/data-transfer.ts';
import { useApi } from '../../../session/session.ts';
import { requireWritten, TooLarge } from '../edit/change-nodes.ts';
import { useImpersonation } from '../impersonation/model.ts';
import { printExact } from '../model/leaf-value.ts';
import { joinPath, type NodePath } from '../model/node-path.ts';
import { assertHolds, StageFull, type StagingStore, stageChanges } from '../staging/stage-nodes.ts';
import { MAX_STAGED } from '../staging/store.ts';
import { useExplained, useStage } from '../staging/use-staging.ts';

/** What a small file is to change where it is imported. */
export interface FileChanges {
  readonly changes: readonly NodeChange[];
  /** Do they take the place of the node, and not of children of it? */
  readonly areWhole: boolean;
}

/** Reads a file of JSON as it would be imported. Rejects with `TooLarge`, or a `SyntaxError` for what is no JSON. */
async function readSmallFile(path: NodePath, mode: ImportMode, file: Blob): Promise<FileChanges> {
  if (file.size > MAX_TEXT_BYTES) throw new TooLarge();
  const json = parseJsonText(await file.text());
  if (mode === 'replace' || typeof json !== 'object' || json === null || '.value' in json)
    return { changes: [{ path, text: printExact(json, 0) }], areWhole: true };
  const changes = Object.entries(json)
    .filter(([key]) => key !== '.priority')
    .map(([key, member]) => ({ path: joinPath(path, key), text: printExact(member, 0) }));
  return { changes, areWhole: false };
}

/**
 * Stages what is in a small file, as it would be imported, telling what share of it is done. Rejects with `TooLarge`,
 * `StageFull`, or a `SyntaxError` for what is no JSON.
 */
async function stageImport(
  stagingStore: StagingStore,
  path: NodePath,
  mode: ImportMode,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<void> {
  const { changes, areWhole } = await readSmallFile(path, mode, file);
  if (!areWhole) await assertHolds(stagingStore, path);
  if (changes.length > MAX_STAGED) throw new StageFull();
  await stageChanges(stagingStore, changes, (count) => onProgress(count / changes.length));
}

/** How a file is taken in: piece by piece, or if it is small staged, or written at once for rules to judge as a whole. */
export type TakingIn = 'written' | 'staged' | 'judged';

type TakeIn = (
  mode: ImportMode,
  file: File,
  signal: AbortSignal,
  reportBytes: (bytes: number) => void,
) => Promise<void>;

/** Takes files in at a node, and says why one was not. */
export function useTakeIn(
  database: string,
  path: NodePath,
): { readonly how: TakingIn; readonly takeIn: TakeIn; explain(error: unknown): Error } {
  const { t } = useTranslation('data');
  const api = useApi();
  const isImpersonating = useImpersonation().who.kind !== 'oneself';
  const { isStaging, stagingStore } = useStage(database);
  const explain = useExplained();
  const how = isImpersonating ? 'judged' : isStaging ? 'staged' : 'written';
  const modes: Readonly<Record<TakingIn, TakeIn>> = {
    written: async (mode, file, signal, reportBytes) => {
      for await (const state of importFile(api, database, { path, mode, file }, signal)) {
        if (state.status === 'failed')
          throw new Error(typeof state.error === 'string' ? state.error : state.error?.message);
        reportBytes(state.offset);
      }
    },
    staged: (mode, file, _signal, reportBytes) =>
      stageImport(stagingStore, path, mode, file, (share) => reportBytes(Math.round(share * file.size))),
    judged: async (mode, file) => {
      const { changes } = await readSmallFile(path, mode, file);
      await requireWritten(api, database, changes, []);
    },
  };
  return {
    how,
    takeIn: modes[how],
    explain(error) {
      if (!(error instanceof TooLarge) || how === 'written') return explain(error);
      return new Error(t(how === 'staged' ? 'staged.importTooLarge' : 'actAs.importTooLarge'));
    },
  };
}

interface DropTargetProps {
  /** Takes the first of the files that were dropped; `null` where none may be. */
  readonly take: ((file: File) => void) | null;
  readonly children: ReactNode;
}

/** Takes files that are dropped on what it is around. */
export function DropTarget({ take, children }: DropTargetProps) {
  const { t } = useTranslation('data');
  const [isOver, setOver] = useState(false);
  function onDrag(event: DragEvent): void {
    if (take === null || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  }
  return (
    <Box
      onDragOver={onDrag}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (take === null || file === undefined) return;
        event.preventDefault();
        take(file);
      }}
      sx={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, gap: 2, position: 'relative' }}
    >
      {children}
      {isOver && (
        <Box
          sx={{
            position: 'absolute',
            inset: 0,
            zIndex: 2,
            display: 'grid',
            locationItems: 'center',
            pointerEvents: 'none',
            border: 2,
            borderStyle: 'dashed',
            borderColor: 'primary.main',
            borderRadius: 1,
            bgcolor: 'background.paper',
            opacity: 0.9,
            typography: 'h2',
          }}
        >
          {t('transfer.drop')}
        </Box>
      )}
    </Box>
  );
}
