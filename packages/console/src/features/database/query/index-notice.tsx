import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { readCurrentRules } from '../../../api/rules.ts';
import { rulesAddress } from '../../../session/addresses.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { CodeText, showControls } from '../../../ui/text.tsx';
import { keysOf, type NodePath } from '../model/node-path.ts';
import type { NodeQuery } from './node-query.ts';

interface IndexNoticeProps {
  readonly database: string;
  readonly path: NodePath;
  readonly query: NodeQuery;
}

/** Says that the current rules declare no index for an order, with the line to add to them. */
export function IndexNotice({ database, path, query }: IndexNoticeProps) {
  const { t } = useTranslation('data');
  const api = useApi();
  const project = useProjectId();
  const index = indexOf(query);
  const { data: missing = null } = useQuery({
    queryKey: ['missing-index', database, path, index],
    queryFn: async () => {
      const [{ source }, { findMissingIndex }] = await Promise.all([
        readCurrentRules(api, database),
        import('./missing-index.ts'),
      ]);
      return findMissingIndex(source, path, index ?? '');
    },
    enabled: index !== null,
    retry: false,
    gcTime: 0,
  });
  if (index === null || missing === null) return null;
  const line = `".indexOn": ${JSON.stringify(missing.indexOn)}`;
  return (
    <Alert severity="info">
      {t('query.noIndex')} <CodeText>{showControls(missing.location)}</CodeText>{' '}
      <bdi dir="ltr">
        <CodeText>{showControls(line)}</CodeText>
      </bdi>
      <CopyButton text={line} label={t('query.copyIndex')} />{' '}
      <Link component={RouterLink} to={rulesAddress(project, database)}>
        {t('query.openRules')}
      </Link>
    </Alert>
  );
}

/** Returns the index that an order needs; `null` for an order that every database supports. */
function indexOf({ order, child }: NodeQuery): string | null {
  switch (order) {
    case 'key':
    case 'priority':
      return null;
    case 'value':
      return '.value';
    case 'child':
      return keysOf(child).join('/');
    default:
      return order satisfies never;
  }
}
