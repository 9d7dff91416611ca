import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ChildRow, LivePage } from '../../api/data.ts';
import { dataAddress } from '../../session/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { UntrustedText } from '../../ui/text.tsx';

interface FirstDataProps {
  readonly database: string;
  readonly page: LivePage;
}

/** Shows the first children of a database. */
export function FirstData({ database, page }: FirstDataProps) {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  if (page.node === null) return <Typography color="textSecondary">{t('see.nothing')}</Typography>;
  return (
    <>
      <Box
        component="ul"
        dir="ltr"
        aria-label={t('see.label')}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          width: 'fit-content',
          maxWidth: '100%',
          fontFamily: MONOSPACE,
          fontSize: '0.875rem',
        }}
      >
        {page.children.map((child) => (
          <Box component="li" key={child.key} sx={{ paddingBlock: 0.5, overflowWrap: 'anywhere' }}>
            <strong>
              <UntrustedText text={child.key} />
            </strong>
            {': '}
            <UntrustedText text={textOf(child)} />
          </Box>
        ))}
        {page.children.length === 0 && 'value' in page.node && <li>{String(page.node.value)}</li>}
      </Box>
      <Button
        component={Link}
        to={dataAddress(project, database)}
        variant="outlined"
        sx={{ marginBlockStart: 1 }}
      >
        {t('see.open')}
      </Button>
    </>
  );
}

/** Returns a child as text in one line. */
function textOf(child: ChildRow): string {
  if (child.kind === 'object') return child.preview ?? '{ … }';
  return child.kind === 'string' ? JSON.stringify(child.value) : String(child.value);
}
