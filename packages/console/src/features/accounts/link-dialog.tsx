import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../elements/code-text.tsx';
import { CopyButton } from '../../elements/copy-button.tsx';

interface LinkDialogProps {
  readonly link: string;
  readonly close: () => void;
}

/** Shows a link that is to be passed on. */
export function LinkDialog({ link, close }: LinkDialogProps) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('password.linkTitle')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography>{t('password.linkText')}</Typography>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <CodeText>{link}</CodeText>
          <CopyButton text={link} label={t('password.copyLink')} />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={close}>
          {t('close', { ns: 'shell' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
