import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useProjectId } from '../session/session.ts';
import { DeferredRender } from '../ui/deferred-render.tsx';
import { DRAWER_WIDTH_PX } from '../ui/theme.ts';
import { Hint } from '../ui/tooltip.tsx';
import { usePreferences } from '../ui/use-preferences.ts';
import { AREA_ICONS, AREA_KEYS, AREAS, addressOfArea, useArea } from './areas.ts';

const NARROW_WIDTH_PX = 64;

/** Sidebar with the areas of the project, with names or as icons only. Phones show `BottomBar` instead. */
export function NavigationDrawer() {
  const { t } = useTranslation();
  const project = useProjectId();
  const current = useArea();
  const isOpen = usePreferences((preferences) => preferences.isDrawerOpen);
  return (
    <Box
      component="nav"
      aria-label={t('navigation')}
      sx={{
        width: isOpen ? DRAWER_WIDTH_PX : NARROW_WIDTH_PX,
        flexShrink: 0,
        overflowY: 'auto',
        borderInlineEnd: 1,
        borderColor: 'divider',
        transition: (theme) => theme.transitions.create('width'),
      }}
    >
      <List component="div" sx={{ paddingInline: 1 }}>
        <DeferredRender>
          {AREAS.map((area) => {
            const Icon = AREA_ICONS[area];
            return (
              <Hint key={area} title={t(`areas.${area}`)} keys={`g ${AREA_KEYS[area]}`} side="right">
                <ListItemButton
                  component={Link}
                  to={addressOfArea(project, area)}
                  selected={area === current}
                  aria-current={area === current ? 'page' : undefined}
                  aria-label={t(`areas.${area}`)}
                  sx={{ borderRadius: 1, marginBlockEnd: 0.25, minHeight: 40 }}
                >
                  <ListItemIcon sx={{ minWidth: 36 }}>
                    <Icon />
                  </ListItemIcon>
                  {isOpen && <ListItemText primary={t(`areas.${area}`)} />}
                </ListItemButton>
              </Hint>
            );
          })}
        </DeferredRender>
      </List>
    </Box>
  );
}
