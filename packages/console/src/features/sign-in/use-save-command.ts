import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommands } from '../../commands/commands.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** Saves the settings by the keys that save everywhere, as long as there is something that can be saved. */
export function useSaveCommand(form: SettingsForm, canSave: boolean): void {
  const { t } = useTranslation('sign-in');
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  }, [form]);
  const commands = useMemo(
    (): readonly Command[] =>
      canSave
        ? [
            {
              id: 'sign-in.save',
              title: t('changes.save'),
              group: t('title'),
              keys: 'mod+s',
              run: () => void latest.current.save(false),
            },
          ]
        : [],
    [canSave, t],
  );
  useCommands(commands);
}
