import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../../commands/commands.ts';
import { showControls } from '../../../elements/show-controls.ts';
import { tell } from '../../../notices/notices.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { useRights } from '../../../session/session.ts';
import { ROW_HEIGHT_PX } from '../../../theme.ts';
import { AddChildDialog } from '../edit/add-child-dialog.tsx';
import { AwayEditor } from '../edit/away-editor.tsx';
import { ConflictDialog } from '../edit/conflict-dialog.tsx';
import { InlineEditor } from '../edit/inline-editor.tsx';
import { parseDraft, readLeaf } from '../edit/leaf-text.ts';
import { MoveDialog, type MoveRequest } from '../edit/move-dialog.tsx';
import { type NodeAct, NodeMenu } from '../edit/node-menu.tsx';
import { RemoveDialog } from '../edit/remove-dialog.tsx';
import { useValueEdit } from '../edit/use-value-edit.ts';
import { printExact } from '../model/exact-json.ts';
import { lastKeyOf, type NodePath, parentOf } from '../model/node-path.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import { NodeView } from './node-view.tsx';
import { TreeBar } from './tree-bar.tsx';
import { findIndex, findRow } from './tree-rows.ts';
import { type NodeRow, type TreeActs, TreeView } from './tree-view.tsx';
import { useNodeActs } from './use-node-acts.ts';
import { useTree } from './use-tree.ts';
import { useTreeSelection } from './use-tree-selection.ts';

/** A node's children as a tree, and everything that can be done with them there. */
export function TreePanel({ place }: { readonly place: DataPlace }) {
  const { t } = useTranslation('data');
  const { database, path: root, go, set, parameters } = place;
  const { mayChange } = useRights();
  const density = usePreferences((preferences) => preferences.density);
  const { model, rows, connection } = useTree(database, root, place.place);
  const selection = useTreeSelection(rows, parameters.get('row'));
  const acts = useNodeActs(
    database,
    useCallback(() => model.refresh(), [model]),
  );
  const editor = useValueEdit(database, acts.tellSaved);
  const leaveTail = useCallback(() => set({ tail: null }), [set]);
  const frame = useRef<HTMLDivElement>(null);
  const [adding, setAdding] = useState<NodePath | null>(null);
  const [moving, setMoving] = useState<MoveRequest | null>(null);
  const [removing, setRemoving] = useState<readonly NodePath[] | null>(null);
  const [menu, setMenu] = useState<{
    readonly row: NodeRow;
    readonly at: { left: number; top: number };
  } | null>(null);
  useActiveInAddress(selection.active, place);

  const focusTree = useCallback(
    () => frame.current?.querySelector<HTMLElement>('[role="treegrid"]')?.focus(),
    [],
  );
  /** The focus goes back to where the work is when something beside it is done. */
  function closing(close: () => void): () => void {
    return () => {
      close();
      requestAnimationFrame(focusTree);
    };
  }
  const showJson = useCallback(
    (path: NodePath) => {
      place.show(path, 'json');
    },
    [place],
  );
  function edit({ path, node }: NodeRow): void {
    if (node.kind === 'object' || node.isCut === true) showJson(path);
    else
      editor
        .open(path)
        .catch((error: unknown) =>
          tell({ kind: 'failed', text: error instanceof Error ? error.message : String(error) }),
        );
  }
  const treeActs: TreeActs = {
    edit,
    add: ({ path }) => setAdding(path),
    remove: setRemoving,
    enter: go,
    openMenu: (row, at) => setMenu({ row, at }),
  };
  const { edit: editing } = editor;
  const editedRow = editing === null ? undefined : findRow(rows, findIndex(rows, editing.path));
  const editingView = editing && {
    path: editing.path,
    view: (
      <InlineEditor
        editor={editor}
        edit={editing}
        label={t('edit.valueOf', { key: lastKeyOf(editing.path) })}
        otherValue={findOtherValue(editedRow?.kind === 'node' ? editedRow : undefined, editing.seen.text)}
        close={closing(editor.close)}
      />
    ),
  };
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && editing === null) focusTreeUnlessElsewhere(frame.current);
    wasEditing.current = editing !== null;
  }, [editing]);

  const commands = useMemo(
    () =>
      mayChange
        ? [
            {
              id: 'data.add',
              title: t('add.title'),
              group: t('title'),
              keys: 'a',
              run: () => setAdding(root),
            },
          ]
        : [],
    [t, mayChange, root],
  );
  useCommands(commands);
  const rootNode = rows.branches.get(root)?.node;
  return (
    <div ref={frame} style={{ display: 'contents' }}>
      <TreeBar
        place={place}
        model={model}
        connection={connection}
        selection={selection}
        mayChange={mayChange}
        add={() => setAdding(root)}
        remove={() => setRemoving([...selection.paths])}
      />
      {editingView !== null && editedRow === undefined && (
        <AwayEditor path={editingView.path}>{editingView.view}</AwayEditor>
      )}
      {rootNode === null || (rootNode !== undefined && rootNode.kind !== 'object') ? (
        <NodeView
          node={rootNode}
          path={root}
          mayChange={mayChange}
          add={() => setAdding(root)}
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
          acts={treeActs}
          mayChange={mayChange}
          isTail={place.place.kind === 'last'}
          leaveTail={leaveTail}
          editor={editingView}
        />
      )}
      {menu !== null && (
        <NodeMenu
          label={showControls(menu.row.node.key)}
          at={menu.at}
          close={closing(() => setMenu(null))}
          groups={menuGroups(menu.row)}
        />
      )}
      <AddChildDialog parent={adding} add={acts.add} close={closing(() => setAdding(null))} />
      <MoveDialog request={moving} move={acts.move} close={closing(() => setMoving(null))} />
      {removing !== null && (
        <RemoveDialog
          database={database}
          paths={removing}
          remove={async (paths) => {
            await acts.remove(paths);
            selection.clear();
          }}
          close={closing(() => setRemoving(null))}
        />
      )}
      {editing?.phase.kind === 'stale' && (
        <ConflictDialog
          path={editing.path}
          theirs={printExact(readLeaf(editing.phase.current.text).value)}
          mine={printDraft(editing.draft)}
          keepTheirs={closing(editor.close)}
          writeMine={editor.overwrite}
          close={() => editor.change(editing.draft)}
        />
      )}
    </div>
  );

  function menuGroups(row: NodeRow): readonly (readonly NodeAct[])[] {
    const { path, node } = row;
    const isObject = node.kind === 'object';
    const copy = (text: string) => () =>
      void navigator.clipboard.writeText(text).then(
        () => tell({ kind: 'done', text: t('menu.copied') }),
        () => tell({ kind: 'failed', text: t('menu.notCopied') }),
      );
    return [
      [
        ...(isObject ? [{ id: 'enter', title: t('menu.enter'), run: () => go(path) }] : []),
        { id: 'json', title: t('menu.json'), run: () => showJson(path) },
        { id: 'copyPath', title: t('path.copy'), run: copy(path) },
        ...(isObject ? [] : [{ id: 'copyValue', title: t('menu.copyValue'), run: copy(String(node.value)) }]),
      ],
      mayChange
        ? [
            ...(isObject
              ? []
              : [{ id: 'edit', title: t('edit.title'), keyName: 'F2', run: () => edit(row) }]),
            ...(isObject ? [{ id: 'add', title: t('add.title'), run: () => setAdding(path) }] : []),
            { id: 'rename', title: t('move.rename'), run: () => setMoving({ kind: 'rename', path }) },
            { id: 'move', title: t('move.move'), run: () => setMoving({ kind: 'move', path }) },
            {
              id: 'duplicate',
              title: t('move.duplicate'),
              run: () => setMoving({ kind: 'duplicate', path }),
            },
          ]
        : [],
      mayChange
        ? [
            {
              id: 'remove',
              title: t('remove.menu'),
              keyName: t('keys.delete'),
              isDestructive: true,
              run: () => setRemoving([path]),
            },
          ]
        : [],
    ];
  }
}

function printDraft(draft: Parameters<typeof parseDraft>[0]): string {
  const parsed = parseDraft(draft);
  return parsed.kind === 'value' ? printExact(parsed.value) : draft.text;
}

/** What a value is by now, if that is not what whoever edits it has seen. */
function findOtherValue(row: NodeRow | undefined, seenText: string): string | null {
  if (row === undefined || row.node.kind === 'object' || row.node.isCut === true) return null;
  const { value } = readLeaf(seenText);
  return value === row.node.value ? null : showControls(printExact(row.node.value, 0));
}

/** How long the active line stays before the address says so, in milliseconds. */
const ADDRESS_MS = 400;

/** Keeps the active line in the address, so that a link leads back to it. */
function useActiveInAddress(active: NodePath | null, { parameters, replace }: DataPlace): void {
  const told = parameters.get('row');
  useEffect(() => {
    if (active === told) return;
    const timer = setTimeout(() => replace({ row: active }), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [active, told, replace]);
}

/** After an edit the keys are the tree's again, unless somebody has gone on elsewhere. */
function focusTreeUnlessElsewhere(frame: HTMLElement | null): void {
  if (document.activeElement === document.body)
    frame?.querySelector<HTMLElement>('[role="treegrid"]')?.focus();
}
