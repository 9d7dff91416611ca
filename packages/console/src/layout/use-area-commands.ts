import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Command, useCommands } from '../commands/commands.ts';
import { AREA_KEYS, AREAS, addressOfArea } from '../routes/areas.ts';
import { useProjectId } from '../session/session.ts';

/** Commands that lead to the areas of the project. */
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
