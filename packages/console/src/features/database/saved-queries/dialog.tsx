import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../ui/text.tsx';
import type { DataLocation } from '../model/location.ts';
import { lastKeyOf } from '../model/node-path.ts';
import { NameForm, SavedQueryLine } from './line.tsx';
import {
  MAX_PARAMETERS,
  MAX_SAVED,
  type SavedQueriesState,
  type SavedQuery,
  savedParameters,
} from './store.ts';

interface SavedQueriesDialogProps {
  readonly location: DataLocation;
  readonly state: SavedQueriesState;
  readonly addressOf: (query: SavedQuery) => string;
  readonly close: () => void;
}

/** Saves the current view under a name, and lists the saved queries. */
export function SavedQueriesDialog({ location, state, addressOf, close }: SavedQueriesDialogProps) {
  const { t, i18n } = useTranslation('data');
  const { t: shell } = useTranslation();
  const titleId = useId();
  const { saved, save, rename, remove } = state;
  const isFull = saved.length >= MAX_SAVED;
  const isLong = savedParameters(location.parameters).length > MAX_PARAMETERS;
  const [removed, setRemoved] = useState<{ readonly name: string; restore(): void } | null>(null);
  // Counts changes in this window only, so that changes in other windows do not reset the typed name.
  const [done, setDone] = useState(0);
  const startOver = (): void => setDone(done + 1);
  const number = MAX_SAVED.toLocaleString(i18n.language);
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('saved.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {isFull || isLong ? (
          <Typography role="status">{isFull ? t('saved.full', { number }) : t('saved.tooLong')}</Typography>
        ) : (
          <NameForm
            // After each change, the form starts again and gets the focus.
            key={done}
            label={t('saved.name')}
            first={lastKeyOf(location.path)}
            others={saved}
            action={t('saved.save')}
            submit={(name) => {
              if (save(name)) startOver();
            }}
          />
        )}
        {saved.length === 0 ? (
          <Typography color="textSecondary">{t('saved.none')}</Typography>
        ) : (
          <Box component="ul" aria-label={t('saved.title')} sx={{ margin: 0, padding: 0, listStyle: 'none' }}>
            {saved.map((query) => (
              <SavedQueryLine
                key={query.id}
                query={query}
                to={addressOf(query)}
                others={saved.filter((other) => other !== query)}
                rename={(name) => rename(query, name)}
                remove={() => {
                  setRemoved({ name: query.name, restore: remove(query) });
                  startOver();
                }}
                close={close}
              />
            ))}
          </Box>
        )}
        {removed !== null && (
          <Alert
            severity="success"
            role="status"
            action={
              <Button
                color="inherit"
                size="small"
                onClick={() => {
                  removed.restore();
                  setRemoved(null);
                  startOver();
                }}
              >
                {shell('undo')}
              </Button>
            }
          >
            {t('saved.removed', { name: showControls(removed.name) })}
          </Alert>
        )}
        <Typography variant="body2" color="textSecondary">
          {t('saved.where')}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={close}>{t('actAs.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
