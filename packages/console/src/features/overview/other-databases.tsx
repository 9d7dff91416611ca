import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { dataAddress } from '../../routes/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { useDatabases } from '../../session/use-databases.ts';

interface OtherDatabasesProps {
  /** That which is empty. */
  readonly database: string;
}

const MAX_SHOWN = 8;
const ASK_AGAIN_MS = 5_000;

/** Where else data may have gone: a client that names no database writes to one of another name. */
export function OtherDatabases({ database }: OtherDatabasesProps) {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  const { data } = useDatabases(ASK_AGAIN_MS);
  const others = (data ?? []).filter((name) => name !== database).slice(0, MAX_SHOWN);
  if (others.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
      <Typography color="textSecondary">{t('see.others')}</Typography>
      {others.map((name) => (
        <Button key={name} size="small" component={Link} to={dataAddress(project, name)}>
          <bdi dir="ltr">{name}</bdi>
        </Button>
      ))}
    </Box>
  );
}
