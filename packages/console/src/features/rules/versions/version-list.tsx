import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import { printBytes } from '../../../elements/print-bytes.ts';
import { printDistance } from '../../../elements/time-text.tsx';
import { rulesAddress } from '../../../routes/addresses.ts';
import type { RulesVersion } from '../../../server/rules.ts';
import { useProjectId } from '../../../session/session.ts';
import { SIDE_PANEL_WIDTH_PX } from '../../../theme.ts';
import { usePrintAuthor } from '../use-print-author.ts';

interface VersionListProps {
  readonly database: string;
  /** Newest first; the first is in force. */
  readonly versions: readonly RulesVersion[];
  readonly chosen: number | undefined;
}

/** The versions that are kept, each with who published it and why. */
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
                  <Chip size="small" color="success" variant="outlined" label={t('edit.inForce')} />
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
                  <ForeignText text={message} />
                </Typography>
              )}
            </ListItemButton>
          </li>
        ))}
      </List>
    </Paper>
  );
}
