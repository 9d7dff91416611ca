import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import type { ChildRow, LivePage, NodeSummary } from '../../api/data.ts';
import { dataAddress } from '../../session/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { SectionCard } from '../../ui/sections.tsx';
import { CodeText, showControls, UntrustedText } from '../../ui/text.tsx';

/** Number of children that are shown. */
const SHOWN = 8;

interface ContentsProps {
  readonly database: string;
  readonly page: LivePage;
}

/** Shows the first children of a database, with their values or the number of their children. */
export function Contents({ database, page: { node, children, next } }: ContentsProps) {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  const shown = children.slice(0, SHOWN);
  const hasMore = next !== null || children.length > SHOWN;
  return (
    <SectionCard
      title={t('see.latest')}
      actions={
        <Link component={RouterLink} variant="body2" to={dataAddress(project, database)}>
          {t('see.open')}
        </Link>
      }
    >
      {node === null && <Typography color="textSecondary">{t('see.nothing')}</Typography>}
      {node !== null && node.kind !== 'object' && <NodeText node={node} />}
      {shown.length > 0 && (
        <Box
          component="table"
          aria-label={t('see.label')}
          sx={{
            width: '100%',
            borderCollapse: 'collapse',
            tableLayout: 'fixed',
            fontSize: '0.875rem',
            '& th, & td': {
              // `left` is mirrored in Arabic. `start` would depend on the direction of each cell.
              textAlign: 'left',
              fontWeight: 'inherit',
              paddingBlock: 0.75,
              paddingRight: 1,
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            },
            '& thead th': { color: 'text.secondary', paddingBlockStart: 0 },
            '& tbody tr': { borderTop: 1, borderColor: 'divider' },
          }}
        >
          <thead>
            <tr>
              <th scope="col">{t('contents.key')}</th>
              <th scope="col">{t('contents.value')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((child) => (
              <tr key={child.key}>
                <th scope="row">
                  <Link component={RouterLink} to={dataAddress(project, database, `/${child.key}`)}>
                    <CodeText>{showControls(child.key)}</CodeText>
                  </Link>
                </th>
                <td dir={child.kind === 'object' ? undefined : 'ltr'}>
                  <NodeText node={child} />
                </td>
              </tr>
            ))}
          </tbody>
        </Box>
      )}
      {hasMore && (
        <Typography variant="body2" color="textSecondary">
          {t('contents.more')}
        </Typography>
      )}
    </SectionCard>
  );
}

/** Shows a primitive value, or the number of children. */
function NodeText({ node }: { readonly node: NodeSummary | ChildRow }) {
  const { t, i18n } = useTranslation('overview');
  if (node.kind === 'object') {
    const number = new Intl.NumberFormat(i18n.language).format(node.childCount);
    return node.isCountPartial
      ? t('contents.childrenOrMore', { number })
      : t('contents.children', { count: node.childCount, number });
  }
  const text = node.kind === 'string' ? JSON.stringify(node.value) : String(node.value);
  return (
    <Box component="span" sx={{ fontFamily: MONOSPACE }}>
      <UntrustedText text={text} />
    </Box>
  );
}
