import { LANGUAGES } from '@hearth/pages/shell/document.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useProjectId, useSession } from '../session/session.ts';
import { DENSITIES, THEME_CHOICES } from '../ui/preferences.ts';
import { changePreferences, LANGUAGE_NAMES, usePreferences } from '../ui/use-preferences.ts';
import { AREA_KEYS, AREAS, addressOfArea } from './areas.ts';
import { type Command, openOverlay, useCommands } from './commands.ts';

/** Shortcuts that work in every view. */
export const FRAME_KEYS = { palette: 'mod+k', help: '?', drawer: 'mod+b' } as const;

/** Registers the commands that every view of a project has. */
export function useFrameCommands(): void {
  const { t } = useTranslation();
  const { parameters, signOut } = useSession();
  const commands = useMemo((): readonly Command[] => {
    const group = t('commands.console');
    const appearance = t('preferences.title');
    return [
      ...THEME_CHOICES.map((theme) => ({
        id: `theme.${theme}`,
        title: `${t('preferences.theme')}: ${t(`preferences.themes.${theme}`)}`,
        group: appearance,
        run: () => changePreferences({ theme }),
      })),
      ...DENSITIES.map((density) => ({
        id: `density.${density}`,
        title: `${t('preferences.density')}: ${t(`preferences.densities.${density}`)}`,
        group: appearance,
        run: () => changePreferences({ density }),
      })),
      ...LANGUAGES.map((language) => ({
        id: `language.${language}`,
        title: `${t('preferences.language')}: ${LANGUAGE_NAMES[language]}`,
        group: appearance,
        run: () => changePreferences({ language }),
      })),
      {
        id: 'console.palette',
        title: t('commands.palette'),
        group,
        keys: FRAME_KEYS.palette,
        run: () => openOverlay('palette'),
      },
      {
        id: 'console.help',
        title: t('commands.help'),
        group,
        keys: FRAME_KEYS.help,
        run: () => openOverlay('help'),
      },
      {
        id: 'console.drawer',
        title: t('commands.drawer'),
        group,
        keys: FRAME_KEYS.drawer,
        run: toggleDrawer,
      },
      ...(parameters.mode === 'development'
        ? [
            {
              id: 'console.newProject',
              title: t('project.new'),
              group,
              run: () => openOverlay('new-project'),
            },
          ]
        : []),
      ...(signOut === null
        ? []
        : [{ id: 'console.signOut', title: t('account.signOut'), group, run: () => void signOut() }]),
    ];
  }, [t, parameters.mode, signOut]);
  useCommands(commands);
}

function toggleDrawer(): void {
  changePreferences({ isDrawerOpen: !usePreferences.getState().isDrawerOpen });
}

/** Registers the commands that open the areas of the project. */
export function useAreaCommands(): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const project = useProjectId();
  const commands = useMemo(
    () =>
      AREAS.map(
        (area): Command => ({
          id: `go.${area}`,
          title: t(`areas.${area}`),
          group: t('commands.go'),
          keys: `g ${AREA_KEYS[area]}`,
          run: () => void navigate(addressOfArea(project, area)),
        }),
      ),
    [t, navigate, project],
  );
  useCommands(commands);
}
