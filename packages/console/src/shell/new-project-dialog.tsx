import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { createProject, isProjectId } from '../api/projects.ts';
import { projectAddress } from '../session/addresses.ts';
import { useApi } from '../session/session.ts';
import { useIsHere } from '../ui/interaction.ts';
import { reportFailure } from '../ui/notices.tsx';
import { Failure } from '../ui/states.tsx';
import { closeOverlay } from './commands.ts';

/** Asks for the ID of a new project, creates the project and opens it. */
export function NewProjectDialog() {
  const { t } = useTranslation();
  const titleId = useId();
  const api = useApi();
  const navigate = useNavigate();
  const client = useQueryClient();
  const isHere = useIsHere();
  const [id, setId] = useState('');
  const isWrong = id !== '' && !isProjectId(id);
  const making = useMutation({
    mutationFn: async (name: string) => {
      await createProject(api, name);
      await client.invalidateQueries({ queryKey: ['session'] });
    },
    // The dialog may have been replaced by another one.
    onSuccess: (_made, name) => {
      if (!isHere()) return;
      closeOverlay();
      void navigate(projectAddress(name));
    },
    onError: (error) => {
      if (!isHere()) reportFailure(error);
    },
  });
  return (
    <Dialog
      open
      // Stays open until the result is known.
      onClose={making.isPending ? undefined : closeOverlay}
      aria-labelledby={titleId}
      fullWidth
      maxWidth="xs"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isProjectId(id)) making.mutate(id);
        }}
      >
        <DialogTitle id={titleId}>{t('project.new')}</DialogTitle>
        <DialogContent>
          <TextField
            autoFocus
            fullWidth
            required
            autoComplete="off"
            label={t('project.id')}
            helperText={t('project.idRule')}
            error={isWrong}
            value={id}
            onChange={(event) => setId(event.target.value)}
            sx={{ marginBlockStart: 1 }}
            slotProps={{ htmlInput: { dir: 'ltr', autoCapitalize: 'none', spellCheck: false } }}
          />
          {making.error !== null && <Failure error={making.error} />}
        </DialogContent>
        <DialogActions>
          <Button onClick={closeOverlay} disabled={making.isPending}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="contained" disabled={!isProjectId(id)} loading={making.isPending}>
            {t('project.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
