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

/** Returns the question to the simulator about a denied action, without the variable `auth`. */
function questionOfAction(action: DeniedAction): Omit<ReadQuestion, 'auth'> {
  switch (action.kind) {
    case 'read':
      // For rules, a read over REST is a query by key.
      return { operation: 'read', path: action.path, query: { orderByKey: true } };
    case 'write':
      return {
        operation: 'write',
        path: action.path,
        value: withDoubles(parseJsonText(action.text)),
      };
    case 'update':
      return { operation: 'update', path: '/', value: withDoubles(action.changes) };
    default:
      return action satisfies never;
  }
}

/** Shows the latest denied action, with a button that explains it. */
export function DeniedActionNotice() {
  const { t } = useTranslation('data');
  const { denied, clearDenied, explain } = useImpersonation();
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
      {t(denied.kind === 'read' ? 'actAs.deniedRead' : 'actAs.deniedWrite')}{' '}
      <UntrustedText isCode text={pathsOf(denied)} />
    </Alert>
  );
}

/** Maximum number of paths that a notice lists. */
const MAX_NAMED = 3;

function pathsOf(action: DeniedAction): string {
  if (action.kind !== 'update') return action.path;
  const paths = Object.keys(Object(action.changes)).map((path) => `/${path}`);
  return `${paths.slice(0, MAX_NAMED).join(' ')}${paths.length > MAX_NAMED ? ' …' : ''}`;
}

interface DeniedPageNoticeProps {
  /** The node, if it is known. */
  readonly node: NodeSummary | null | undefined;
  readonly path: NodePath;
}

/** Shown above the children of a node that the impersonated principal may not read. */
export function DeniedPageNotice({ node, path }: DeniedPageNoticeProps) {
  const { t } = useTranslation('data');
  const { explain } = useImpersonation();
  if (node?.isDenied !== true) return null;
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
      {t('actAs.deniedRead')} <UntrustedText isCode text={path} />
      {node.kind === 'object' && <div>{t('actAs.deniedPage')}</div>}
    </Alert>
  );
}
