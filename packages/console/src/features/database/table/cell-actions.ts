import { useTranslation } from 'react-i18next';
import { useRights } from '../../../session/session.ts';
import { notify, reportFailure } from '../../../ui/notices.tsx';
import type { NodeActions } from '../edit/node-actions.ts';
import type { ValueEditor } from '../edit/value-editor.tsx';
import { CELLS_TYPE, isCellOf, pathInColumn, printCells, printTsv, valueInColumn } from '../model/cells.ts';
import type { DataLocation } from '../model/location.ts';
import type { DrawnRow } from './rows.ts';
import { type CellRange, collectCells, collectPasted, type TableClipboard } from './selection.ts';

interface CellActionsProps {
  readonly location: DataLocation;
  readonly editor: ValueEditor;
  readonly paste: NodeActions['paste'];
  readonly range: CellRange;
  /** Names of the shown columns. */
  readonly names: readonly string[];
  readonly rowAt: (index: number) => DrawnRow | undefined;
}

interface CellActions extends TableClipboard {
  /** Edits the active cell; an object is shown as JSON. */
  edit(): void;
}

/** Returns the actions on the selected cells. */
export function useCellActions(props: CellActionsProps): CellActions {
  const { location, editor, paste, range, names, rowAt } = props;
  const { t } = useTranslation('data');
  const { mayChange } = useRights();
  return {
    edit() {
      const found = rowAt(range.active.row);
      const name = names[range.active.column];
      if (!mayChange || found?.row.kind !== 'node' || !isCellOf(found.fields, name)) return;
      const value = valueInColumn(found.fields, name);
      const path = pathInColumn(found.row.path, name);
      if (typeof value === 'object' && value !== null) location.show(path, 'json');
      else editor.open(path).catch(reportFailure);
    },
    copy(to) {
      const cells = collectCells(range, names, rowAt);
      to.setData('text/plain', printTsv(cells));
      to.setData(CELLS_TYPE, printCells(cells));
      notify({ kind: 'done', text: t('table.copied', { number: cells.length * (cells[0]?.length ?? 0) }) });
    },
    async paste(text, copied) {
      const pasted = collectPasted(text, copied, range.first, names, rowAt);
      if (pasted.length > 0) await paste(pasted).catch(reportFailure);
    },
  };
}
