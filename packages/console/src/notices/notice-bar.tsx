import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Snackbar from '@mui/material/Snackbar';
import { useTranslation } from 'react-i18next';
import { dismissNotice, useNotices } from './notices.ts';

/** Long enough to read a sentence, and to take back what it says. */
const SHOWN_MS = 6_000;
const SHOWN_WITH_UNDO_MS = 10_000;

/** What was told last. */
export function NoticeBar() {
  const { t } = useTranslation();
  const notice = useNotices(({ shown }) => shown);
  if (notice === null) return null;
  const { id, kind, text, undo } = notice;
  const close = (): void => dismissNotice(id);
  return (
    <Snackbar
      key={id}
      open
      autoHideDuration={undo === undefined ? SHOWN_MS : SHOWN_WITH_UNDO_MS}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      onClose={(_event, reason) => {
        if (reason !== 'clickaway') close();
      }}
    >
      <Alert
        severity={kind === 'done' ? 'success' : 'error'}
        variant="filled"
        onClose={close}
        {...(undo === undefined
          ? {}
          : {
              action: (
                <Button
                  color="inherit"
                  size="small"
                  onClick={() => {
                    close();
                    void undo();
                  }}
                >
                  {t('undo')}
                </Button>
              ),
            })}
      >
        {text}
      </Alert>
    </Snackbar>
  );
}
