import NextIcon from '@mui/icons-material/ChevronRight';
import MuiBreadcrumbs from '@mui/material/Breadcrumbs';
import Divider from '@mui/material/Divider';
import Link from '@mui/material/Link';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useNavigate, useParams } from 'react-router';
import { areaAddress, dataAddress, projectAddress, rulesAddress } from '../session/addresses.ts';
import { useDatabases } from '../session/databases.ts';
import { useProjectId, useSession } from '../session/session.ts';
import { MenuButton } from '../ui/menu.tsx';
import { type Area, useArea } from './areas.ts';
import { openOverlay } from './commands.ts';

interface DatabaseSwitcherProps {
  readonly area: Area;
  readonly database: string;
}

/** A button that shows the database, with a menu that opens the same area of another database. */
function DatabaseSwitcher({ area, database }: DatabaseSwitcherProps) {
  const { t } = useTranslation();
  const project = useProjectId();
  const navigate = useNavigate();
  const { data } = useDatabases();
  const names = [...new Set([database, ...(data ?? [])])].toSorted();
  const addressOf = area === 'rules' ? rulesAddress : dataAddress;
  return (
    <MenuButton label={t('database.label')} text={database}>
      {(close) => [
        ...names.map((name) => (
          <MenuItem
            key={name}
            selected={name === database}
            onClick={() => {
              close();
              void navigate(addressOf(project, name));
            }}
          >
            <bdi dir="ltr">{name}</bdi>
          </MenuItem>
        )),
        <MenuItem
          key="all"
          divider={false}
          onClick={() => {
            close();
            void navigate(areaAddress(project, 'data'));
          }}
        >
          {t('database.all')}
        </MenuItem>,
      ]}
    </MenuButton>
  );
}

/** A button that shows the project, with a menu that opens another project. A member signs in to each project separately. */
function ProjectSwitcher() {
  const { t } = useTranslation();
  const project = useProjectId();
  const { parameters, projects, chooseProject } = useSession();
  const navigate = useNavigate();
  const ids = [...new Set([project, ...projects.map(({ id }) => id)])].toSorted();
  return (
    <MenuButton label={t('project.label')} text={project}>
      {(close) => [
        ...ids.map((id) => (
          <MenuItem
            key={id}
            selected={id === project}
            onClick={() => {
              close();
              void navigate(projectAddress(id));
            }}
          >
            <bdi dir="ltr">{id}</bdi>
          </MenuItem>
        )),
        <Divider key="line" />,
        parameters.mode === 'development' ? (
          <MenuItem
            key="new"
            onClick={() => {
              close();
              openOverlay('new-project');
            }}
          >
            {t('project.new')}
          </MenuItem>
        ) : (
          <MenuItem key="other" onClick={chooseProject ?? close}>
            {t('project.other')}
          </MenuItem>
        ),
      ]}
    </MenuButton>
  );
}

/** Shows the location of the view: project, area, and database or account. Project and database have menus to switch. */
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
        // On phones, the bottom bar shows the area, and a long name needs the space.
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
