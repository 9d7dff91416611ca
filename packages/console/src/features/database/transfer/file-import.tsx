import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import Box from '@mui/material/Box';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_TEXT_BYTES, type NodeChange } from '../../../api/data-nodes.ts';
import { type ImportMode, importError, importFile } from '../../../api/data-transfer.ts';
import { useApi } from '../../../session/session.ts';
import { showControls } from '../../../ui/text.tsx';
import { requireWritten, TooLarge } from '../edit/change-nodes.ts';
import { useImpersonation } from '../impersonation/model.ts';
import { printExact } from '../model/leaf-value.ts';
import { joinPath, type NodePath } from '../model/node-path.ts';
import {
  requireNoStagedValueAbove,
  StageFull,
  type StagingStore,
  stageChanges,
} from '../staging/stage-nodes.ts';
import { MAX_STAGED } from '../staging/store.ts';
import { useExplainError, useStage } from '../staging/use-staging.ts';
import { CsvProblem, useExplainCsv } from './csv-problem.ts';
import { KeyTwice, requireDistinctKeys } from './distinct-keys.ts';

/** The changes that an import of a small file makes. */
export interface FileChanges {
  readonly changes: readonly NodeChange[];
  /** Whether the changes replace the node itself, instead of some of its children. */
  readonly areWhole: boolean;
}

/** Returns the changes that an import of a JSON file makes. Rejects with `TooLarge`, `KeyTwice` or a `SyntaxError`. */
async function readSmallFile(path: NodePath, mode: ImportMode, file: Blob): Promise<FileChanges> {
  if (file.size > MAX_TEXT_BYTES) throw new TooLarge();
  const text = await file.text();
  const json = parseJsonText(text);
  requireDistinctKeys(text);
  if (mode === 'replace' || typeof json !== 'object' || json === null || '.value' in json)
    return { changes: [{ path, text: printExact(json, 0) }], areWhole: true };
  if (mode === 'deep-merge') return { changes: leafChanges(path, json), areWhole: false };
  const changes = Object.entries(json)
    .filter(([key]) => key !== '.priority')
    .map(([key, member]) => ({ path: joinPath(path, key), text: printExact(member, 0) }));
  return { changes, areWhole: false };
}

/** Returns the changes that a deep merge makes: one for each value. A `null` and an empty object change nothing. */
function leafChanges(path: NodePath, json: unknown): readonly NodeChange[] {
  if (json === null) return [];
  if (typeof json !== 'object' || '.value' in json) return [{ path, text: printExact(json, 0) }];
  return Object.entries(json).flatMap(([key, member]) =>
    key === '.priority' ? [] : leafChanges(joinPath(path, key), member),
  );
}

/**
 * Stages the import of a small file. Calls `onProgress` with the completed share, from 0 to 1. Rejects with `TooLarge`,
 * with an error of staging, such as `StageFull`, or like `readSmallFile` if the file is not valid.
 */
async function stageImport(
  stagingStore: StagingStore,
  path: NodePath,
  mode: ImportMode,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<void> {
  const { changes, areWhole } = await readSmallFile(path, mode, file);
  if (!areWhole) await requireNoStagedValueAbove(stagingStore, path);
  if (changes.length > MAX_STAGED) throw new StageFull();
  await stageChanges(stagingStore, changes, (count) => onProgress(count / changes.length));
}

/**
 * How a file is imported. `written` sends the file in chunks. `staged` stages the changes that the file makes. `impersonated`
 * makes one write, which the rules allow or deny as a whole. The last two accept files of at most `MAX_TEXT_BYTES`.
 */
export type ImportMethod = 'written' | 'staged' | 'impersonated';

/** Resolves with the ID of the change, for an undo; `null` if nothing was written, or if the import was staged. */
type RunImport = (
  mode: ImportMode,
  file: Blob,
  signal: AbortSignal,
  reportBytes: (bytes: number) => void,
) => Promise<number | null>;

/** Returns how a file is imported at a node, a function that imports it, and a function that explains import errors. */
export function useFileImport(
  database: string,
  path: NodePath,
): {
  readonly method: ImportMethod;
  readonly runImport: RunImport;
  readonly explain: (error: unknown) => Error;
} {
  const { t, i18n } = useTranslation('data');
  const api = useApi();
  const isImpersonating = useImpersonation().who.kind !== 'self';
  const { isStaging, stagingStore } = useStage(database);
  const explain = useExplainError();
  const explainCsv = useExplainCsv();
  const method = isImpersonating ? 'impersonated' : isStaging ? 'staged' : 'written';
  const modes: Readonly<Record<ImportMethod, RunImport>> = {
    written: async (mode, file, signal, reportBytes) => {
      let change: number | null = null;
      for await (const state of importFile(api, database, { path, mode, file }, signal)) {
        if (state.status === 'failed') throw importError(state);
        reportBytes(state.offset);
        change = state.change ?? null;
      }
      return change;
    },
    staged: async (mode, file, _signal, reportBytes) => {
      await stageImport(stagingStore, path, mode, file, (share) =>
        reportBytes(Math.round(share * file.size)),
      );
      return null;
    },
    impersonated: async (mode, file) => {
      const { changes } = await readSmallFile(path, mode, file);
      return await requireWritten(api, database, changes, []);
    },
  };
  return {
    method,
    runImport: modes[method],
    explain(error) {
      if (error instanceof CsvProblem) return new Error(explainCsv(error), { cause: error });
      if (error instanceof KeyTwice)
        return new Error(
          t('transfer.keyTwice', {
            key: showControls(error.key),
            line: error.line.toLocaleString(i18n.language),
          }),
          { cause: error },
        );
      if (!(error instanceof TooLarge) || method === 'written') return explain(error);
      return new Error(t(method === 'staged' ? 'staged.importTooLarge' : 'actAs.importTooLarge'));
    },
  };
}

interface DropTargetProps {
  /** Called with the first dropped file; `null` if files cannot be dropped. */
  readonly take: ((file: File) => void) | null;
  readonly children: ReactNode;
}

/** Accepts files that the user drops on its children. */
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
            placeItems: 'center',
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
