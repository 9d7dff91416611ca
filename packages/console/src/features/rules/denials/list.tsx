import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { DenialPage, ListedDenial } from '../../../api/denials.ts';
import { rulesAddress } from '../../../session/addresses.ts';
import { useProjectId } from '../../../session/session.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { SIDE_PANEL_WIDTH_PX } from '../../../ui/theme.ts';
import { PlainTimeText } from '../../../ui/time-text.tsx';
import { printRuleName, usePrintIdentity } from '../names.ts';
import { ReasonLine } from './reason-line.tsx';
import { MAX_SHOWN } from './use-denials.ts';

interface DenialListProps {
  readonly database: string;
  readonly page: DenialPage;
  readonly chosen: string | undefined;
  readonly isFiltered: boolean;
}

/** Lists denials, latest first, each with a link to its details. */
export function DenialList({ database, page, chosen, isFiltered }: DenialListProps) {
  const { t } = useTranslation('rules');
  const { denials, sampledOut } = page;
  if (denials.length === 0)
    return (
      <Box sx={{ flex: 1 }}>
        <EmptyState title={t(isFiltered ? 'denials.noneFound' : 'denials.none')}>
          {t(isFiltered ? 'denials.noneFoundHint' : 'denials.noneHint')}
        </EmptyState>
      </Box>
    );
  return (
    <Paper
      component="nav"
      aria-label={t('denials.list')}
      variant="outlined"
      sx={{
        ...(chosen === undefined ? { flex: 1 } : { width: { md: SIDE_PANEL_WIDTH_PX } }),
        maxHeight: chosen === undefined ? 'none' : { xs: '36vh', md: 'none' },
        flexShrink: 0,
        overflowY: 'auto',
      }}
    >
      <List disablePadding>
        {denials.map((denial) => (
          <DenialRow
            key={denial.id}
            database={database}
            denial={denial}
            isChosen={String(denial.id) === chosen}
          />
        ))}
      </List>
      {(denials.length === MAX_SHOWN || sampledOut > 0) && (
        <Typography variant="body2" color="textSecondary" sx={{ padding: 2 }}>
          {denials.length === MAX_SHOWN && t('denials.bound', { number: MAX_SHOWN })}{' '}
          {sampledOut > 0 && t('denials.sampledOut', { count: sampledOut })}
        </Typography>
      )}
    </Paper>
  );
}

interface DenialRowProps {
  readonly database: string;
  readonly denial: ListedDenial;
  readonly isChosen: boolean;
}

function DenialRow({ database, denial, isChosen }: DenialRowProps) {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  const { search } = useLocation();
  const printIdentity = usePrintIdentity();
  const { id, timeMs, operation, paths, pathCount, identity, rule } = denial;
  return (
    <li>
      <ListItemButton
        component={Link}
        to={`${rulesAddress(project, database, 'denials')}/${id}${search}`}
        selected={isChosen}
        aria-current={isChosen ? 'true' : undefined}
        sx={{ flexDirection: 'column', alignItems: 'stretch', borderBlockEnd: 1, borderColor: 'divider' }}
      >
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1 }}>
          <Box component="span" sx={{ flex: '1 1 auto', minWidth: 0 }}>
            <Typography component="span" sx={{ fontWeight: 600 }}>
              <UntrustedText isCode text={operation} />
            </Typography>{' '}
            <UntrustedText isCode text={paths[0] ?? '/'} />
            {pathCount > 1 && ` ${t('denials.morePaths', { count: pathCount - 1 })}`}
          </Box>
          <Typography component="span" variant="caption" color="textSecondary" sx={{ whiteSpace: 'nowrap' }}>
            <PlainTimeText ms={timeMs} />
          </Typography>
        </Box>
        <Typography component="span" variant="body2" color="textSecondary">
          <bdi>{printIdentity(identity)}</bdi>
          {rule !== null && (
            <>
              {' · '}
              <UntrustedText isCode text={printRuleName(rule)} />
            </>
          )}
        </Typography>
        <ReasonLine denial={denial} />
      </ListItemButton>
    </li>
  );
}
