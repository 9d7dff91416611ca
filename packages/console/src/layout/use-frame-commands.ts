import { LANGUAGES } from '@hearth/pages/shell/language.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommands } from '../commands/commands.ts';
import { openOverlay } from '../commands/overlay.ts';
import { DENSITIES, THEME_CHOICES } from '../preferences/kept-preferences.ts';
import { LANGUAGE_NAMES } from '../preferences/language-names.ts';
import { changePreferences, usePreferences } from '../preferences/preferences.ts';
import { useSession } from '../session/session.ts';
import { FRAME_KEYS } from './frame-keys.ts';

/** Commands that are there in every view of a project. */
export function useFrameCommands(): void {
  const { t } = useTranslation();
  const { parameters, signOut } = useSession();
  const commands = useMemo((): readonly Command[] => {
    const group = t('commands.console');
    const likes = t('preferences.title');
    return [
      ...THEME_CHOICES.map((theme) => ({
        id: `theme.${theme}`,
        title: `${t('preferences.theme')}: ${t(`preferences.themes.${theme}`)}`,
        group: likes,
        run: () => changePreferences({ theme }),
      })),
      ...DENSITIES.map((density) => ({
        id: `density.${density}`,
        title: `${t('preferences.density')}: ${t(`preferences.densities.${density}`)}`,
        group: likes,
        run: () => changePreferences({ density }),
      })),
      ...LANGUAGES.map((language) => ({
        id: `language.${language}`,
        title: `${t('preferences.language')}: ${LANGUAGE_NAMES[language]}`,
        group: likes,
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
