import SavedIcon from '@mui/icons-material/BookmarkBorderOutlined';
import ToggleButton from '@mui/material/ToggleButton';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { dataAddress } from '../../../session/addresses.ts';
import { useProjectId } from '../../../session/session.ts';
import { useCommands } from '../../../shell/commands.ts';
import { DeferredRender } from '../../../ui/deferred-render.tsx';
import { showControls } from '../../../ui/text.tsx';
import { Hint } from '../../../ui/tooltip.tsx';
import { IMPERSONATED } from '../impersonation/model.ts';
import type { DataLocation } from '../model/location.ts';
import { type SavedQuery, useSavedQueries } from './store.ts';

const SavedQueriesDialog = lazy(async () => ({
  default: (await import('./dialog.tsx')).SavedQueriesDialog,
}));

/** A button that opens the saved queries, which are also commands of the palette. */
export function SavedQueries({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const project = useProjectId();
  const navigate = useNavigate();
  const state = useSavedQueries(location);
  const [isOpen, setOpen] = useState(false);
  const impersonated = location.parameters.get(IMPERSONATED);
  const addressOf = useCallback(
    ({ database, path, parameters }: SavedQuery): string => {
      const kept = new URLSearchParams(parameters);
      if (impersonated !== null) kept.set(IMPERSONATED, impersonated);
      return `${dataAddress(project, database, path)}?${kept}`;
    },
    [project, impersonated],
  );
  const { saved } = state;
  const commands = useMemo(
    () => [
      { id: 'data.saved', title: t('saved.open'), group: t('title'), keys: 'b', run: () => setOpen(true) },
      ...saved.map((query) => ({
        id: `data.saved.${query.id}`,
        title: t('saved.openOne', { name: showControls(query.name) }),
        group: t('saved.title'),
        run: () => void navigate(addressOf(query)),
      })),
    ],
    [t, saved, navigate, addressOf],
  );
  useCommands(commands);
  return (
    <>
      <DeferredRender>
        <Hint title={t('saved.open')}>
          <ToggleButton
            size="small"
            value="saved"
            selected={isOpen}
            aria-label={t('saved.open')}
            onChange={() => setOpen(true)}
          >
            <SavedIcon fontSize="small" />
          </ToggleButton>
        </Hint>
      </DeferredRender>
      {isOpen && (
        <Suspense>
          <SavedQueriesDialog
            location={location}
            state={state}
            addressOf={addressOf}
            close={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
