import { useTranslation } from 'react-i18next';
import { type ImportMode, importFile } from '../../../server/data-transfer.ts';
import { useApi } from '../../../session/session.ts';
import { useActing } from '../act-as/acting.ts';
import { mustWrite, TooLarge } from '../edit/change-nodes.ts';
import { useExplained } from '../edit/use-explained.ts';
import type { NodePath } from '../model/node-path.ts';
import { stageImport } from '../staged/stage-import.ts';
import { useStage } from '../staged/use-stage.ts';
import { readSmallFile } from './read-small-file.ts';

/** How a file is taken in: piece by piece, or if it is small staged, or written at once for rules to judge as a whole. */
export type TakingIn = 'written' | 'staged' | 'judged';

type TakeIn = (
  mode: ImportMode,
  file: File,
  signal: AbortSignal,
  tellBytes: (bytes: number) => void,
) => Promise<void>;

/** Takes files in at a node, and says why one was not. */
export function useTakeIn(
  database: string,
  path: NodePath,
): { readonly how: TakingIn; readonly takeIn: TakeIn; explain(error: unknown): Error } {
  const { t } = useTranslation('data');
  const api = useApi();
  const isActing = useActing().who.kind !== 'oneself';
  const { isStaging, desk } = useStage(database);
  const explain = useExplained();
  const how = isActing ? 'judged' : isStaging ? 'staged' : 'written';
  const ways: Readonly<Record<TakingIn, TakeIn>> = {
    written: async (mode, file, signal, tellBytes) => {
      for await (const state of importFile(api, database, { path, mode, file }, signal)) {
        if (state.status === 'failed')
          throw new Error(typeof state.error === 'string' ? state.error : state.error?.message);
        tellBytes(state.offset);
      }
    },
    staged: (mode, file, _signal, tellBytes) =>
      stageImport(desk, path, mode, file, (share) => tellBytes(Math.round(share * file.size))),
    judged: async (mode, file) => {
      const { changes } = await readSmallFile(path, mode, file);
      await mustWrite(api, database, changes, []);
    },
  };
  return {
    how,
    takeIn: ways[how],
    explain(error) {
      if (!(error instanceof TooLarge) || how === 'written') return explain(error);
      return new Error(t(how === 'staged' ? 'staged.importTooLarge' : 'actAs.importTooLarge'));
    },
  };
}
