import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Command, useCommands } from '../../commands/commands.ts';
import { areaAddress } from '../../routes/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { SECTIONS } from './sections.ts';

/** Commands that lead to the sections of the settings. */
export function useSectionCommands(): void {
  const { t } = useTranslation('sign-in');
  const navigate = useNavigate();
  const project = useProjectId();
  const commands = useMemo(
    () =>
      SECTIONS.map(
        (section, index): Command => ({
          id: `sign-in.${section}`,
          title: t(`section.${section}`),
          group: t('title'),
          keys: `s ${index + 1}`,
          run: () => void navigate(`${areaAddress(project, 'sign-in')}/${section}`),
        }),
      ),
    [t, navigate, project],
  );
  useCommands(commands);
}
