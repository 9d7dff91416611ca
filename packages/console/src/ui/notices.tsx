import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Snackbar from '@mui/material/Snackbar';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { printError } from '../api/client.ts';

/** A short message at the edge of the page. */
export interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  /** A sentence in the language of the page. */
  readonly text: string;
  /** Undoes the action; available while the notice is shown. */
  readonly undo?: () => void | Promise<void>;
}

interface Notices {
  /** `null` if no notice is shown. */
  readonly shown: Notice | null;
}

let lastId = 0;

export const useNotices = create<Notices>()(() => ({ shown: null }));

/** Shows a notice immediately and replaces the previous one, so that undo belongs to the last action. */
export function notify(notice: Omit<Notice, 'id'>): void {
  lastId += 1;
  useNotices.setState({ shown: { ...notice, id: lastId } });
}

/** Dismisses a notice, unless another one has replaced it. */
export function dismissNotice(id: number): void {
  useNotices.setState(({ shown }) => ({ shown: shown?.id === id ? null : shown }));
}

/** Shows an error as a notice. */
export function reportFailure(error: unknown): void {
  notify({ kind: 'failed', text: printError(error) });
}

/** Long enough to read a sentence and to use undo. */
const SHOWN_MS = 6_000;
const SHOWN_WITH_UNDO_MS = 10_000;

/** Shows the current notice. */
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
      // Above the navigation bar of phones.
      sx={{ bottom: { xs: 72, md: 24 } }}
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
