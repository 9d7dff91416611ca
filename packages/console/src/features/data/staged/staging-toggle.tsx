import StageIcon from '@mui/icons-material/PlaylistAddCheck';
import ToggleButton from '@mui/material/ToggleButton';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../../commands/commands.ts';
import { Hint } from '../../../elements/hint.tsx';
import { Later } from '../../../elements/later.tsx';
import { tell } from '../../../notices/notices.ts';
import { changePreferences } from '../../../preferences/preferences.ts';
import { useRights } from '../../../session/session.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import { REVIEW } from './review-parameter.ts';
import { useStage } from './use-stage.ts';

/** Whether edits are made at once, or staged to be reviewed and applied together. */
export function StagingToggle({ place }: { readonly place: DataPlace }) {
  const { t } = useTranslation('data');
  const { mayChange } = useRights();
  const { isStaging, list, waiting } = useStage(place.database);
  const { set } = place;
  const isOffered = mayChange && waiting === 0;
  const hasEdits = list.length > 0;
  const toggle = useCallback(() => {
    if (isStaging && hasEdits) {
      tell({ kind: 'failed', text: t('staged.decideFirst') });
      set({ [REVIEW]: 'true' });
    } else changePreferences({ isStaging: !isStaging });
  }, [isStaging, hasEdits, set, t]);
  const commands = useMemo(
    () =>
      isOffered
        ? [
            {
              id: 'data.stage',
              title: t(isStaging ? 'staged.turnOff' : 'staged.turnOn'),
              group: t('title'),
              keys: 'e',
              run: toggle,
            },
          ]
        : [],
    [isOffered, isStaging, t, toggle],
  );
  useCommands(commands);
  if (!isOffered) return null;
  return (
    <Later>
      <Hint title={t(isStaging ? 'staged.turnOff' : 'staged.turnOn')}>
        <ToggleButton
          size="small"
          value="stage"
          selected={isStaging}
          aria-label={t('staged.turnOn')}
          onChange={toggle}
        >
          <StageIcon fontSize="small" />
        </ToggleButton>
      </Hint>
    </Later>
  );
}
