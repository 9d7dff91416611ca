import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Snackbar from '@mui/material/Snackbar';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';

/** Something to tell in passing, at the edge of the page. */
export interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  /** A sentence in the language of the page. */
  readonly text: string;
  /** Takes back what was done; offered as long as the notice is there. */
  readonly undo?: () => void | Promise<void>;
}

interface Notices {
  /** `null` while nothing is told. */
  readonly shown: Notice | null;
}

let lastId = 0;

export const useNotices = create<Notices>()(() => ({ shown: null }));

/** Tells something at once, in the place of what was told before: what is offered there is about what was done last. */
export function notify(notice: Omit<Notice, 'id'>): void {
  lastId += 1;
  useNotices.setState({ shown: { ...notice, id: lastId } });
}

/** Takes a notice away; one that has taken its place stays. */
export function dismissNotice(id: number): void {
  useNotices.setState(({ shown }) => ({ shown: shown?.id === id ? null : shown }));
}

/** Says in passing why something could not be done. */
export function reportFailure(error: unknown): void {
  notify({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
}

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
