import { AddChildDialog } from '../edit/add-child-dialog.tsx';
import { MoveDialog } from '../edit/move-dialog.tsx';
import type { NodeActs } from '../edit/node-acts.ts';
import { RemoveDialog } from '../edit/remove-dialog.tsx';
import type { TreeTask } from './tree-task.ts';

interface TreeDialogsProps {
  readonly database: string;
  readonly task: TreeTask | null;
  readonly acts: NodeActs;
  readonly close: () => void;
  readonly onRemoved: () => void;
}

/** Asks what a change of the tree needs to know, and carries it out. */
export function TreeDialogs({ database, task, acts, close, onRemoved }: TreeDialogsProps) {
  return (
    <>
      <AddChildDialog parent={task?.kind === 'add' ? task.parent : null} add={acts.add} close={close} />
      <MoveDialog request={task?.kind === 'move' ? task.request : null} move={acts.move} close={close} />
      {task?.kind === 'remove' && (
        <RemoveDialog
          database={database}
          paths={task.paths}
          remove={async (paths) => {
            await acts.remove(paths);
            onRemoved();
          }}
          close={close}
        />
      )}
    </>
  );
}
