import NextIcon from '@mui/icons-material/ChevronRight';
import MuiBreadcrumbs from '@mui/material/Breadcrumbs';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useParams } from 'react-router';
import { areaAddress } from '../routes/addresses.ts';
import { useProjectId } from '../session/session.ts';
import { DatabaseSwitcher } from './database-switcher.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import { useArea } from './use-area.ts';

/** Where the view is: project, area, and the database or account. The project and the database lead to others. */
export function Breadcrumbs() {
  const { t } = useTranslation();
  const project = useProjectId();
  const area = useArea();
  const { database, uid } = useParams();
  return (
    <MuiBreadcrumbs
      aria-label={t('breadcrumbs')}
      separator={<NextIcon fontSize="small" sx={{ '[dir=rtl] &': { transform: 'scaleX(-1)' } }} />}
      sx={{
        minWidth: 0,
        '& .MuiBreadcrumbs-ol': { flexWrap: 'nowrap' },
        '& .MuiBreadcrumbs-li': { minWidth: 0 },
        // On phones the bar below shows the area, and a long name needs the room.
        '& .MuiBreadcrumbs-li:not(:first-of-type), & .MuiBreadcrumbs-separator': {
          display: { xs: 'none', sm: 'flex' },
        },
      }}
    >
      <ProjectSwitcher />
      {area !== 'overview' && (
        <Link
          component={RouterLink}
          to={areaAddress(project, area)}
          color="textPrimary"
          underline="hover"
          noWrap
        >
          {t(`areas.${area}`)}
        </Link>
      )}
      {database !== undefined && <DatabaseSwitcher area={area} database={database} />}
      {uid !== undefined && (
        <Link
          component="bdi"
          color="textSecondary"
          underline="none"
          dir="ltr"
          noWrap
          sx={{ display: 'block', maxWidth: 240 }}
        >
          {uid}
        </Link>
      )}
    </MuiBreadcrumbs>
  );
}
