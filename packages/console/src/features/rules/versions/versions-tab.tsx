import type { RulesVersion } from '@hearth/core/api/rules-version.ts';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { rulesAddress } from '../../../session/addresses.ts';
import { useProjectId } from '../../../session/session.ts';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { printBytes, UntrustedText } from '../../../ui/text.tsx';
import { SIDE_PANEL_WIDTH_PX } from '../../../ui/theme.ts';
import { printDistance } from '../../../ui/time-text.tsx';
import { useVersions } from '../code/revisions.ts';
import { usePrintAuthor } from '../names.ts';
import { VersionDetail } from './version-detail.tsx';

interface VersionListProps {
  readonly database: string;
  /** Newest first; the first is the current one. */
  readonly versions: readonly RulesVersion[];
  readonly chosen: number | undefined;
}

/** Lists the stored versions, each with its author and message. */
export function VersionList({ database, versions, chosen }: VersionListProps) {
  const { t, i18n } = useTranslation('rules');
  const project = useProjectId();
  const printAuthor = usePrintAuthor();
  return (
    <Paper
      component="nav"
      aria-label={t('versions.list')}
      variant="outlined"
      sx={{
        width: { md: SIDE_PANEL_WIDTH_PX },
        maxHeight: { xs: '40vh', md: 'none' },
        flexShrink: 0,
        overflowY: 'auto',
      }}
    >
      <List disablePadding>
        {versions.map(({ id, timeMs, author, bytes, message, rolledBackTo }, index) => (
          <li key={id}>
            <ListItemButton
              component={Link}
              to={`${rulesAddress(project, database, 'versions')}/${id}`}
              selected={id === chosen}
              aria-current={id === chosen ? 'true' : undefined}
              sx={{ flexDirection: 'column', alignItems: 'stretch' }}
            >
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
                <Typography component="span" sx={{ fontWeight: 600 }}>
                  {t('versions.name', { id })}
                </Typography>
                {index === 0 && (
                  <Chip size="small" color="success" variant="outlined" label={t('edit.current')} />
                )}
                <Box sx={{ flex: 1 }} />
                {timeMs !== null && (
                  <Typography component="span" variant="caption" color="textSecondary">
                    {printDistance(timeMs - Date.now(), i18n.language)}
                  </Typography>
                )}
              </Box>
              <Typography component="span" variant="body2" color="textSecondary">
                {printAuthor(author)} · {printBytes(bytes, i18n.language)}
                {rolledBackTo !== null && ` · ${t('versions.rolledBackTo', { id: rolledBackTo })}`}
              </Typography>
              {message !== null && (
                <Typography component="span" variant="body2">
                  <UntrustedText text={message} />
                </Typography>
              )}
            </ListItemButton>
          </li>
        ))}
      </List>
    </Paper>
  );
}

interface VersionsTabProps {
  readonly database: string;
}

/** Shows the published versions, and the changes of the chosen one. */
export function VersionsTab({ database }: VersionsTabProps) {
  const { t } = useTranslation('rules');
  const { item } = useParams();
  const versions = useVersions(database);
  return (
    <Loaded of={versions}>
      {(list) => {
        const [latest] = list;
        if (latest === undefined)
          return <EmptyState title={t('versions.none')}>{t('versions.noneHint')}</EmptyState>;
        const chosen =
          list.find(({ id }) => String(id) === item) ?? (item === undefined ? latest : undefined);
        return (
          <Box
            sx={{
              flex: 1,
              minHeight: 0,
              display: 'flex',
              flexDirection: { xs: 'column', md: 'row' },
              gap: 2,
            }}
          >
            <VersionList database={database} versions={list} chosen={chosen?.id} />
            <Box
              sx={{
                flex: 1,
                minWidth: 0,
                minHeight: 320,
                display: 'flex',
                flexDirection: 'column',
                gap: 1.5,
              }}
            >
              {chosen === undefined ? (
                <EmptyState title={t('versions.unknown', { id: item })}>
                  {t('versions.unknownHint')}
                </EmptyState>
              ) : (
                <VersionDetail key={chosen.id} database={database} id={chosen.id} currentId={latest.id} />
              )}
            </Box>
          </Box>
        );
      }}
    </Loaded>
  );
}
