import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZE } from '../../../api/children-address.ts';
import type { NodeSummary } from '../../../api/data.ts';
import type { DeniedAction } from '../../../api/impersonation.ts';
import { UntrustedText } from '../../../ui/text.tsx';
import { type ReadQuestion, withDoubles } from '../../rules/simulator/question.ts';
import type { NodePath } from '../model/node-path.ts';
import { useImpersonation } from './model.ts';

/** What to ask rules to learn why they refused something; who asked is to be added. */
function questionOfAction(userAction: DeniedAction): Omit<ReadQuestion, 'auth'> {
  switch (userAction.kind) {
    case 'read':
      // As rules see a read over REST.
      return { operation: 'read', path: userAction.path, query: { orderByKey: true } };
    case 'write':
      return {
        operation: 'write',
        path: userAction.path,
        value: withDoubles(parseJsonText(userAction.text)),
      };
    case 'update':
      return { operation: 'update', path: '/', value: withDoubles(userAction.changes) };
    default:
      return userAction satisfies never;
  }
}

/** What rules refused last, and the way to why. */
export function DeniedActionNotice() {
  const { t } = useTranslation('data');
  const { refused: denied, clearDenied, explain } = useImpersonation();
  if (denied === null) return null;
  return (
    <Alert
      severity="error"
      sx={{ border: 2, borderColor: 'error.main' }}
      action={
        <>
          <Button
            color="inherit"
            size="small"
            variant="outlined"
            onClick={() => explain(questionOfAction(denied))}
          >
            {t('actAs.why')}
          </Button>
          <Button color="inherit" size="small" onClick={clearDenied}>
            {t('actAs.close')}
          </Button>
        </>
      }
    >
      {t(denied.kind === 'read' ? 'actAs.refusedRead' : 'actAs.refusedWrite')}{' '}
      <UntrustedText isCode text={pathsOf(denied)} />
    </Alert>
  );
}

/** Places that are named; of a large change there are more. */
const MAX_NAMED = 3;

function pathsOf(userAction: DeniedAction): string {
  if (userAction.kind !== 'update') return userAction.path;
  const paths = Object.keys(Object(userAction.changes)).map((path) => `/${path}`);
  return `${paths.slice(0, MAX_NAMED).join(' ')}${paths.length > MAX_NAMED ? ' …' : ''}`;
}

interface DeniedPageNoticeProps {
  /** As far as it is known. */
  readonly node: NodeSummary | null | undefined;
  readonly path: NodePath;
}

/** Above the children of a node that rules do not let whoever is acted for read. */
export function DeniedPageNotice({ node, path }: DeniedPageNoticeProps) {
  const { t } = useTranslation('data');
  const { explain } = useImpersonation();
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
      {t('actAs.refusedRead')} <UntrustedText isCode text={path} />
      {node.kind === 'object' && <div>{t('actAs.refusedPage')}</div>}
    </Alert>
  );
}
