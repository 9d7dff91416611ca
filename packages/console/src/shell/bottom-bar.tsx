import MoreIcon from '@mui/icons-material/MoreHoriz';
import BottomNavigation from '@mui/material/BottomNavigation';
import BottomNavigationAction from '@mui/material/BottomNavigationAction';
import MenuItem from '@mui/material/MenuItem';
import Paper from '@mui/material/Paper';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useProjectId } from '../session/session.ts';
import { LazyMenu } from '../ui/menu.tsx';
import { AREA_ICONS, AREAS, type Area, addressOfArea, useArea } from './areas.ts';
import { openOverlay } from './commands.ts';

/** Number of areas that fit on a phone; the others are in the “More” menu. */
const IN_BAR = 4;
const SHOWN: readonly Area[] = AREAS.slice(0, IN_BAR);
const MORE: readonly Area[] = AREAS.slice(IN_BAR);

/** Navigation on phones, below the view. */
export function BottomBar() {
  const { t } = useTranslation();
  const project = useProjectId();
  const current = useArea();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
  return (
    <Paper component="nav" aria-label={t('navigation')} elevation={3} square>
      <BottomNavigation showLabels value={MORE.includes(current) ? 'more' : current}>
        {SHOWN.map((area) => {
          const Icon = AREA_ICONS[area];
          return (
            <BottomNavigationAction
              key={area}
              value={area}
              label={t(`areas.${area}`)}
              aria-current={area === current ? 'page' : undefined}
              icon={<Icon />}
              component={Link}
              to={addressOfArea(project, area)}
              sx={{ minWidth: 0, paddingInline: 0.5 }}
            />
          );
        })}
        <BottomNavigationAction
          value="more"
          label={t('more')}
          icon={<MoreIcon />}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{ minWidth: 0, paddingInline: 0.5 }}
        />
      </BottomNavigation>
      <LazyMenu label={t('more')} anchor={anchor} close={close}>
        {MORE.map((area) => (
          <MenuItem
            key={area}
            component={Link}
            to={addressOfArea(project, area)}
            selected={area === current}
            onClick={close}
          >
            {t(`areas.${area}`)}
          </MenuItem>
        ))}
        <MenuItem
          onClick={() => {
            close();
            openOverlay('help');
          }}
        >
          {t('commands.help')}
        </MenuItem>
      </LazyMenu>
    </Paper>
  );
}
