import type { RuleNode } from '@hearth/core/rules/evaluate/rule-set.ts';
import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import type { Api } from '../../../api/client.ts';
import { readCurrentRules } from '../../../api/rules.ts';
import { rulesAddress } from '../../../session/addresses.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { CodeText, showControls } from '../../../ui/text.tsx';
import { keysOf, type NodePath, pathOf } from '../model/node-path.ts';
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
    queryFn: () => findMissingIndex(api, database, path, index ?? ''),
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

interface MissingIndex {
  /**
   * The location at which the rules need the index. A location for one node would replace the rules of a wildcard there.
   */
  readonly location: NodePath;
  /** The declared indexes, and the missing one. */
  readonly indexOn: readonly string[];
}

async function findMissingIndex(
  api: Api,
  database: string,
  path: NodePath,
  index: string,
): Promise<MissingIndex | null> {
  const [{ source }, { readRules }, { findChildRule }, { parsePath }] = await Promise.all([
    readCurrentRules(api, database),
    import('@hearth/core/rules/compile/rules.ts'),
    import('@hearth/core/rules/evaluate/rule-set.ts'),
    import('@hearth/core/tree/path.ts'),
  ]);
  const read = readRules(source);
  if (read.kind === 'wrong') return null;
  let node: RuleNode | undefined = read.rules.root;
  const names: string[] = [];
  for (const key of parsePath(path)) {
    names.push(node?.children.has(key) ? key : (node?.wildcard?.name ?? key));
    node = node && findChildRule(node, key);
  }
  const declared = node?.indexOn ?? [];
  return declared.includes(index) ? null : { location: pathOf(names), indexOn: [...declared, index] };
}
