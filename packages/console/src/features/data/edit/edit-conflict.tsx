import { printExact } from '../model/exact-json.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { parseDraft, readLeaf, type ValueDraft } from './leaf-text.ts';
import type { ValueEditor } from './use-value-edit.ts';

interface EditConflictProps {
  readonly editor: ValueEditor;
  readonly close: () => void;
}

/** Asks when a value is not what it was when its edit began. */
export function EditConflict({ editor, close }: EditConflictProps) {
  const { edit } = editor;
  if (edit?.phase.kind !== 'stale') return null;
  return (
    <ConflictDialog
      path={edit.path}
      theirs={printExact(readLeaf(edit.phase.current.text).value)}
      mine={printDraft(edit.draft)}
      keepTheirs={close}
      writeMine={editor.overwrite}
      close={() => editor.change(edit.draft)}
    />
  );
}

function printDraft(draft: ValueDraft): string {
  const parsed = parseDraft(draft);
  return parsed.kind === 'value' ? printExact(parsed.value) : draft.text;
}
