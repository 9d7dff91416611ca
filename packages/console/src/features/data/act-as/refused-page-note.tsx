import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import type { NodeSummary } from '../../../server/data.ts';
import type { NodePath } from '../model/node-path.ts';
import { PAGE_SIZE } from '../tree/page-size.ts';
import { useActing } from './acting.ts';

interface RefusedPageNoteProps {
  /** As far as it is known. */
  readonly node: NodeSummary | null | undefined;
  readonly path: NodePath;
}

/** Above the children of a node that rules do not let whoever is acted for read. */
export function RefusedPageNote({ node, path }: RefusedPageNoteProps) {
  const { t } = useTranslation('data');
  const { explain } = useActing();
  if (node?.isRefused !== true) return null;
  const query = node.kind === 'object' ? { orderByKey: true, limitToFirst: PAGE_SIZE } : undefined;
  return (
    <Alert
      severity="info"
      action={
        <Button
          color="inherit"
          size="small"
          onClick={() => explain({ operation: 'read', path, ...(query === undefined ? {} : { query }) })}
        >
          {t('actAs.why')}
        </Button>
      }
    >
      {t('actAs.refusedRead')} <ForeignText isCode text={path} />
      {node.kind === 'object' && <div>{t('actAs.refusedPage')}</div>}
    </Alert>
  );
}
