import { isKey } from '@hearth/core/tree/key.ts';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../../elements/code-text.tsx';
import { ConfirmDialog } from '../../../elements/confirm-dialog.tsx';
import { showControls } from '../../../elements/show-controls.ts';
import { MONOSPACE } from '../../../theme.ts';
import {
  isAtOrBelow,
  joinPath,
  keysOf,
  lastKeyOf,
  type NodePath,
  parentOf,
  parseTypedPath,
} from '../model/node-path.ts';

/** Levels of a tree, counted from its root. */
const MAX_DEPTH = 32;

/** What is to become of a node: another key, another place, or one more of it. */
export interface MoveRequest {
  readonly kind: 'rename' | 'move' | 'duplicate';
  readonly path: NodePath;
}

interface MoveDialogProps {
  readonly request: MoveRequest | null;
  readonly move: (request: MoveRequest, to: NodePath) => Promise<void>;
  readonly close: () => void;
}

/** Asks where a node is to be. */
export function MoveDialog({ request, move, close }: MoveDialogProps) {
  return request === null ? null : <MoveForm request={request} move={move} close={close} />;
}

function MoveForm({ request, move, close }: MoveDialogProps & { readonly request: MoveRequest }) {
  const { t } = useTranslation('data');
  const { kind, path } = request;
  const isKeyAsked = kind === 'rename';
  const [text, setText] = useState(
    kind === 'rename' ? lastKeyOf(path) : kind === 'move' ? path : `${path}-${t('move.copySuffix')}`,
  );
  const to = isKeyAsked ? joinPath(parentOf(path), text) : parseTypedPath(text);
  const problem = findProblem();
  function findProblem(): string | null {
    const keys = isKeyAsked ? [text] : keysOf(to);
    if (keys.length === 0 || !keys.every(isKey)) return t('add.keyRule');
    if (keysOf(to).length > MAX_DEPTH) return t('move.tooDeep', { count: MAX_DEPTH });
    if (to === path) return t('move.same');
    return isAtOrBelow(to, path) || isAtOrBelow(path, to) ? t('move.inside') : null;
  }
  return (
    <ConfirmDialog
      isOpen
      title={t(`move.${kind}`)}
      action={t(`move.${kind}Action`)}
      run={async () => {
        if (problem !== null) throw new Error(problem);
        await move(request, to);
      }}
      close={close}
    >
      <CodeText>{showControls(path)}</CodeText>
      <TextField
        autoFocus
        fullWidth
        required
        label={t(isKeyAsked ? 'move.newKey' : 'move.newPath')}
        value={text}
        error={problem !== null && text !== '' && to !== path}
        helperText={problem !== null && to !== path ? problem : t('move.hint')}
        onChange={({ target }) => setText(target.value)}
        onFocus={({ target }) => target.select()}
        slotProps={{ htmlInput: { dir: 'ltr', style: { fontFamily: MONOSPACE }, autoComplete: 'off' } }}
      />
    </ConfirmDialog>
  );
}
