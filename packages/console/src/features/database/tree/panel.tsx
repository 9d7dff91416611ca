import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../../session/session.ts';
import { useCommands } from '../../../shell/commands.ts';
import { reportFailure } from '../../../ui/notices.tsx';
import { showControls } from '../../../ui/text.tsx';
import { ROW_HEIGHT_PX } from '../../../ui/theme.ts';
import { usePreferences } from '../../../ui/use-preferences.ts';
import { DeniedPageNotice } from '../impersonation/denied.tsx';
import type { DataLocation } from '../model/location.ts';
import { type NodePath, parentOf } from '../model/node-path.ts';
import { useNodeActions } from '../staging/use-node-actions.ts';
import { useStage } from '../staging/use-staging.ts';
import { TreeBar } from './bar.tsx';
import { TreeDialogs, type TreeTask } from './dialogs.tsx';
import { TreeView } from './grid.tsx';
import { type TreeActions, useTreeSelection } from './navigation.ts';
import { NodeMenu, useNodeMenu } from './node-menu.tsx';
import { NodeView } from './node-view.tsx';
import type { NodeRow } from './rows.ts';
import { useRowEditor } from './use-row-editor.tsx';
import { useTree, useTreeInAddress } from './use-tree.ts';

/** Shows the children of a node as a tree, with all actions on them. */
export function TreePanel({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const { database, path: root, go, set, parameters } = location;
  const { mayChange } = useRights();
  const density = usePreferences((preferences) => preferences.density);
  const stage = useStage(database);
  const { model, rows, connection } = useTree(location, stage.list, {
    open: parameters.get('open'),
  });
  const selection = useTreeSelection(rows, parameters.get('row'));
  const actions = useNodeActions(
    database,
    useCallback(() => model.refresh(), [model]),
  );
  const leaveTail = useCallback(() => set({ tail: null }), [set]);
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRowEditor(actions, rows, frame);
  const [task, setTask] = useState<TreeTask | null>(null);
  useTreeInAddress(selection.active, rows, location);
  const endTask = editor.restoringFocus(() => setTask(null));
  const menuOf = useNodeMenu(mayChange, stage);

  const showJson = (path: NodePath): void => location.show(path, 'json');
  const addTo = (parent: NodePath): void => setTask({ kind: 'add', parent });
  function edit({ path, node }: NodeRow): void {
    if (node.kind === 'object' || node.isCut === true) showJson(path);
    else editor.open(path).catch(reportFailure);
  }
  /** Removes nodes. A staged removal can be dropped again, so it needs no confirmation. */
  function remove(paths: readonly NodePath[]): void {
    if (stage.isStaging) actions.remove(paths).catch(reportFailure);
    else setTask({ kind: 'remove', paths });
  }
  const treeActions: TreeActions = {
    edit,
    add: ({ path }) => addTo(path),
    remove,
    enter: go,
    openMenu: (row, at) => setTask({ kind: 'menu', row, at }),
  };
  const { active } = selection;
  const commands = useMemo(
    () => [
      {
        id: 'data.lastWrite',
        title: t('lastWrite.menu'),
        group: t('title'),
        run: () => setTask({ kind: 'last-write', path: active ?? root }),
      },
      ...(mayChange
        ? [
            {
              id: 'data.add',
              title: t('add.title'),
              group: t('title'),
              keys: 'a',
              run: () => setTask({ kind: 'add', parent: root }),
            },
          ]
        : []),
    ],
    [t, mayChange, root, active],
  );
  useCommands(commands);
  const { node: rootNode, error } = rows.branches.get(root) ?? {};
  return (
    <div ref={frame} style={{ display: 'contents' }}>
      <TreeBar
        location={location}
        model={model}
        connection={connection}
        selection={selection}
        isValue={rootNode != null && rootNode.kind !== 'object'}
        mayChange={mayChange}
        add={() => addTo(root)}
        remove={() => remove([...selection.paths])}
      />
      <DeniedPageNotice node={rootNode} path={root} />
      {editor.outside}
      {rootNode === null || (rootNode === undefined ? error !== undefined : rootNode.kind !== 'object') ? (
        <NodeView
          node={rootNode}
          error={error}
          retry={() => model.refresh()}
          path={root}
          mayChange={mayChange}
          add={() => addTo(root)}
          edit={() => showJson(root)}
          up={() => go(parentOf(root))}
        />
      ) : (
        <TreeView
          label={t('tree.label', { path: root })}
          rows={rows}
          model={model}
          rowHeightPx={ROW_HEIGHT_PX[density]}
          selection={selection}
          actions={treeActions}
          mayChange={mayChange}
          isTail={location.position.kind === 'last'}
          leaveTail={leaveTail}
          editor={editor.inRow}
        />
      )}
      {task?.kind === 'menu' && (
        <NodeMenu
          label={showControls(task.row.node.key)}
          at={task.at}
          close={endTask}
          groups={menuOf(task.row, {
            enter: go,
            showJson,
            showLastWrite: (path) => setTask({ kind: 'last-write', path }),
            edit,
            add: addTo,
            move: (kind, path) => setTask({ kind: 'move', request: { kind, path } }),
            remove: (path) => remove([path]),
          })}
        />
      )}
      <TreeDialogs
        database={database}
        task={task}
        actions={actions}
        close={endTask}
        onRemoved={selection.clear}
      />
    </div>
  );
}
