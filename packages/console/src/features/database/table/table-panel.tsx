import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { WHOLE_PREVIEW } from '../../../api/children-address.ts';
import { EmptyState, Failure, LoadingBar } from '../../../ui/states.tsx';
import { EditConflict } from '../edit/conflict-dialog.tsx';
import { useValueEdit } from '../edit/value-editor.tsx';
import { DeniedPageNotice } from '../impersonation/denied.tsx';
import type { DataLocation } from '../model/location.ts';
import { useNodeActions } from '../staging/use-node-actions.ts';
import { useStage } from '../staging/use-staging.ts';
import { ChildCount } from '../tree/child-count.tsx';
import { useTree } from '../tree/use-tree.ts';
import { Table } from './table.tsx';

/** Shows the children of a node as rows of a table whose columns are their members. */
export function TablePanel({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const { database, path: root } = location;
  const { list: staged } = useStage(database);
  const { model, rows, connection } = useTree(location, staged, { preview: WHOLE_PREVIEW });
  const { node, error } = rows.branches.get(root) ?? {};
  const actions = useNodeActions(
    database,
    useCallback(() => model.refresh(), [model]),
  );
  const editor = useValueEdit(actions);
  if (node === undefined)
    return error === undefined ? <LoadingBar /> : <Failure error={error} retry={() => model.refresh()} />;
  if (node === null || node.kind !== 'object')
    return <EmptyState title={t('table.none')}>{t('table.noneHint')}</EmptyState>;
  return (
    <>
      <DeniedPageNotice node={node} path={root} />
      <Table
        location={location}
        model={model}
        rows={rows}
        staged={staged}
        editor={editor}
        paste={actions.paste}
        count={<ChildCount model={model} database={database} path={root} isLive={connection === 'live'} />}
      />
      <EditConflict editor={editor} close={editor.close} />
    </>
  );
}
