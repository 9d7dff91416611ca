import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { countAccounts } from '../../api/accounts.ts';
import { loadableOf } from '../../api/query-state.ts';
import { areaAddress, dataAddress } from '../../session/addresses.ts';
import { useMeasure } from '../../session/databases.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { printBytes } from '../../ui/text.tsx';

interface FigureLinkProps {
  readonly name: string;
  /** `undefined` while it is loading. */
  readonly value: string | undefined;
  readonly detail: string;
  /** Address of the view with the details. */
  readonly address: string;
}

/** A figure in one line, with a link to its details. */
function FigureLink({ name, value, detail, address }: FigureLinkProps) {
  return (
    <Link
      component={RouterLink}
      to={address}
      color="inherit"
      underline="hover"
      sx={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1 }}
    >
      <Typography component="span" variant="body2" color="textSecondary">
        {name}
      </Typography>{' '}
      <Box component="span" sx={{ fontWeight: 650, fontVariantNumeric: 'tabular-nums' }}>
        {value === undefined ? <Skeleton width="4em" /> : <bdi>{value}</bdi>}
      </Box>{' '}
      <Typography component="span" variant="body2" color="textSecondary">
        {detail}
      </Typography>
    </Link>
  );
}

const REFRESH_MS = 15_000;

interface FiguresProps {
  readonly database: string;
}

/** Shows the amount of data and the number of accounts. */
export function Figures({ database }: FiguresProps) {
  const { t, i18n } = useTranslation('overview');
  const api = useApi();
  const project = useProjectId();
  const { measure, error } = useMeasure(database);
  const accounts = loadableOf(
    useQuery({
      queryKey: ['figures', 'accounts', project],
      queryFn: () => countAccounts(api, project),
      refetchInterval: REFRESH_MS,
    }),
  );
  const size = measure && printBytes(measure.bytes, i18n.language);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 0.5 }}>
      <FigureLink
        name={t('figures.size')}
        address={dataAddress(project, database)}
        value={size ?? (error === undefined ? undefined : '–')}
        detail={t(measure?.isComplete === false ? 'figures.measuring' : 'figures.sizeDetail')}
      />
      <FigureLink
        name={t('figures.accounts')}
        address={areaAddress(project, 'accounts')}
        value={
          accounts.kind === 'loading'
            ? undefined
            : accounts.kind === 'ready'
              ? new Intl.NumberFormat(i18n.language).format(accounts.data)
              : '–'
        }
        detail={t('figures.accountsDetail')}
      />
    </Box>
  );
}
