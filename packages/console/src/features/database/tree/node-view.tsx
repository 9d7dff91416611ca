import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { NodeSummary } from '../../../api/data.ts';
import { EmptyState, Failure } from '../../../ui/states.tsx';
import { showControls } from '../../../ui/text.tsx';
import { lastKeyOf, type NodePath, ROOT_PATH } from '../model/node-path.ts';

interface NodeViewProps {
  /** `null` if the node does not exist; `undefined` if it could not be read. */
  readonly node: NodeSummary | null | undefined;
  /** Why the node could not be read. */
  readonly error: unknown;
  readonly retry: () => void;
  readonly path: NodePath;
  readonly mayChange: boolean;
  readonly add: () => void;
  readonly edit: () => void;
  readonly up: () => void;
}

/** Shown instead of children for a node that is a primitive value, does not exist, or could not be read. */
export function NodeView({ node, error, retry, path, mayChange, add, edit, up }: NodeViewProps) {
  const { t } = useTranslation('data');
  const goUp = path !== ROOT_PATH && <Button onClick={up}>{t('path.up')}</Button>;
  if (node === undefined) return <Failure error={error} retry={retry} />;
  if (node?.isDenied === true) return <EmptyState title={t('actAs.locked')} action={goUp} />;
  if (node === null || node.kind === 'object')
    return (
      <EmptyState
        title={t(path === ROOT_PATH ? 'node.emptyDatabase' : 'node.absent')}
        action={
          <Box sx={{ display: 'flex', gap: 1 }}>
            {mayChange && (
              <Button variant="contained" onClick={add}>
                {t('add.title')}
              </Button>
            )}
            {goUp}
          </Box>
        }
      >
        {t(mayChange ? 'node.absentHint' : 'node.absentHintViewer')}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t('node.isValue', { key: showControls(lastKeyOf(path)), kind: t(`kinds.${node.kind}`) })}
      action={
        <Box sx={{ display: 'flex', gap: 1 }}>
          <Button variant="contained" onClick={edit}>
            {t(mayChange ? 'edit.title' : 'menu.json')}
          </Button>
          {goUp}
        </Box>
      }
    >
      <Box component="bdi" dir="ltr" sx={{ fontFamily: MONOSPACE, overflowWrap: 'anywhere' }}>
        {showControls(typeof node.value === 'string' ? JSON.stringify(node.value) : String(node.value))}
        {node.isCut === true && t('tree.cut')}
      </Box>
    </EmptyState>
  );
}
