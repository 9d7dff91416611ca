import StageIcon from '@mui/icons-material/PlaylistAddCheck';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import { lazy, Suspense, useCallback, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { dataAddress } from '../../../session/addresses.ts';
import { useProjectId, useRights } from '../../../session/session.ts';
import { useCommands } from '../../../shell/commands.ts';
import { DeferredRender } from '../../../ui/deferred-render.tsx';
import { UnsavedGuard } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { Hint } from '../../../ui/tooltip.tsx';
import { changePreferences } from '../../../ui/use-preferences.ts';
import type { DataLocation } from '../model/location.ts';
import { useApply, useStale } from './apply.ts';
import { useStage } from './use-staging.ts';

/** Address parameter that opens the review. */
const REVIEW = 'review';

const ReviewPanel = lazy(async () => ({ default: (await import('./review-panel.tsx')).ReviewPanel }));

/** Shows the number of staged edits and of conflicts, and opens the review. */
export function StagingBar({ location }: { readonly location: DataLocation }) {
  const { t, i18n } = useTranslation('data');
  const { database, parameters, set } = location;
  const project = useProjectId();
  const { mayChange } = useRights();
  const stage = useStage(database);
  const { isStaging, list, waiting, isPersisted, stagingStore } = stage;
  const { applying, apply } = useApply(stagingStore);
  const { stale, alreadyApplied, check } = useStale(stage, applying.kind === 'running');
  const number = (value: number): string => value.toLocaleString(i18n.language);
  const count = list.length;
  useEffect(() => {
    if (alreadyApplied.length === 0) return;
    stagingStore.put(list.filter((edit) => !alreadyApplied.includes(edit)));
    const text = t('staged.there', {
      number: alreadyApplied.length.toLocaleString(i18n.language),
    });
    notify({ kind: 'done', text });
  }, [alreadyApplied, list, stagingStore, t, i18n.language]);
  const hasEdits = count > 0;
  const commands = useMemo(
    () =>
      hasEdits
        ? [
            {
              id: 'data.review',
              title: t('staged.review'),
              group: t('title'),
              keys: 'r',
              run: () => set({ [REVIEW]: 'true' }),
            },
          ]
        : [],
    [hasEdits, set, t],
  );
  useCommands(commands);
  const close = (): void => set({ [REVIEW]: null });
  return (
    <>
      <UnsavedGuard
        isDirty={hasEdits || waiting > 0}
        within={dataAddress(project, database)}
        text={t('staged.leaving', { number: number(count + waiting) })}
      />
      {waiting > 0 && <Alert severity="info">{t('staged.waiting', { number: number(waiting) })}</Alert>}
      {!isPersisted && <Alert severity="warning">{t('staged.notKept')}</Alert>}
      {isStaging && (mayChange || hasEdits) && (
        <Alert
          severity={stale.size > 0 ? 'error' : 'warning'}
          variant="outlined"
          action={
            hasEdits && (
              <Button variant="contained" size="small" onClick={() => set({ [REVIEW]: 'true' })}>
                {t('staged.review')}
              </Button>
            )
          }
        >
          <span role="status">
            {!mayChange
              ? t('staged.mayNot', { number: number(count) })
              : hasEdits
                ? t('staged.count', { number: number(count) })
                : t('staged.none')}
            {stale.size > 0 && ` ${t('staged.stale', { number: number(stale.size) })}`}
          </span>
        </Alert>
      )}
      {parameters.get(REVIEW) === 'true' && (
        <Suspense>
          <ReviewPanel
            location={location}
            stage={stage}
            stale={stale}
            applying={applying}
            apply={async () => {
              if (await apply()) close();
              else await check();
            }}
            close={close}
          />
        </Suspense>
      )}
    </>
  );
}

/** A button that toggles between writing edits immediately and staging them for a review. */
export function StagingToggle({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const { mayChange } = useRights();
  const { isStaging, list, waiting } = useStage(location.database);
  const { set } = location;
  const isOffered = mayChange && waiting === 0;
  const hasEdits = list.length > 0;
  const toggle = useCallback(() => {
    if (isStaging && hasEdits) {
      notify({ kind: 'failed', text: t('staged.decideFirst') });
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
    <DeferredRender>
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
    </DeferredRender>
  );
}
