import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Command, useCommands } from '../../commands/commands.ts';
import { rulesAddress } from '../../routes/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { RULES_TABS } from './rules-tabs.ts';

/** Commands that lead to the tabs of the rules of a database. */
export function useTabCommands(database: string): void {
  const { t } = useTranslation('rules');
  const navigate = useNavigate();
  const project = useProjectId();
  const commands = useMemo(
    () =>
      RULES_TABS.map(
        (tab, index): Command => ({
          id: `rules.${tab}`,
          title: t('commands.tab', { tab: t(`tab.${tab}`) }),
          group: t('commands.group'),
          keys: `alt+${index + 1}`,
          run: () => void navigate(rulesAddress(project, database, tab)),
        }),
      ),
    [t, navigate, project, database],
  );
  useCommands(commands);
}
