import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isUnanswered } from '../../../api/client.ts';
import { type CurrentRules, isOutdated, publishRules } from '../../../api/rules.ts';
import { useApi } from '../../../session/session.ts';
import { notify } from '../../../ui/notices.tsx';
import { Failure } from '../../../ui/states.tsx';
import type { Draft } from '../code/revisions.ts';
import { DifferenceView } from '../versions/difference.tsx';
import { countFlips, ReplayReview, useReplay } from './replay-review.tsx';

type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The rules that were published. */
export interface Published {
  readonly source: string;
  readonly id: number;
}

interface PublishOptions {
  readonly database: string;
  readonly draft: Draft;
  readonly outdated: () => void;
  readonly published: (published: Published) => void;
  readonly close: () => void;
}

/**
 * Returns the progress of publishing, and a function that publishes a draft. If another user has published since the draft
 * was started, the function publishes nothing and calls `outdated`.
 */
function usePublish({ database, draft, outdated, published, close }: PublishOptions): {
  readonly progress: Progress;
  publish(message: string): Promise<void>;
} {
  const { t } = useTranslation('rules');
  const api = useApi();
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  async function publish(message: string): Promise<void> {
    setProgress({ kind: 'running' });
    try {
      const id = await publishRules(api, database, {
        source: draft.source,
        expected: draft.basedOn,
        ...(message.trim() === '' ? {} : { message: message.trim() }),
      });
      await client.invalidateQueries({ queryKey: ['rules', database] });
      notify({ kind: 'done', text: t('publish.done', { id }) });
      close();
      published({ source: draft.source, id });
    } catch (error) {
      setProgress({ kind: 'failed', error });
      if (!isOutdated(error)) return;
      await client.invalidateQueries({ queryKey: ['rules', database] });
      outdated();
    }
  }
  return { progress, publish };
}

interface PublishDialogProps {
  readonly isOpen: boolean;
  readonly database: string;
  readonly current: CurrentRules;
  readonly draft: Draft;
  /** Called if another user has published since the draft was started. */
  readonly outdated: () => void;
  readonly published: (published: Published) => void;
  readonly close: () => void;
}

const MAX_MESSAGE = 1_000;

/** Shows the changes of a draft and their effect on recorded operations, and publishes the draft. */
export function PublishDialog(props: PublishDialogProps) {
  const titleId = useId();
  const isRunning = useRef(false);
  return (
    <Dialog
      open={props.isOpen}
      // The dialog stays open while it publishes, so that the user sees the result.
      onClose={() => {
        if (!isRunning.current) props.close();
      }}
      aria-labelledby={titleId}
      maxWidth="lg"
      fullWidth
    >
      {props.isOpen && <PublishForm {...props} titleId={titleId} isRunning={isRunning} />}
    </Dialog>
  );
}

interface PublishFormProps extends PublishDialogProps {
  readonly titleId: string;
  readonly isRunning: RefObject<boolean>;
}

function PublishForm(props: PublishFormProps) {
  const { database, current, draft, close, titleId } = props;
  const { t } = useTranslation('rules');
  const { t: shared } = useTranslation();
  const [message, setMessage] = useState('');
  const replay = useReplay(database, draft.source);
  const { progress, publish } = usePublish(props);
  useEffect(() => {
    props.isRunning.current = progress.kind === 'running';
  });
  const flips = replay.kind === 'ready' ? countFlips(replay.report) : 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void publish(message);
      }}
    >
      <DialogTitle id={titleId}>{t('publish.title', { database })}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Box
          sx={{
            height: { xs: '30vh', md: '34vh' },
            display: 'flex',
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            overflow: 'hidden',
          }}
        >
          <DifferenceView label={t('publish.difference')} before={current.source} after={draft.source} />
        </Box>
        <ReplayReview database={database} replay={replay} />
        <TextField
          label={t('publish.message')}
          helperText={t('publish.messageHint')}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          slotProps={{ htmlInput: { maxLength: MAX_MESSAGE } }}
        />
        {progress.kind === 'failed' && <Failure error={progress.error} />}
        {progress.kind === 'failed' && isUnanswered(progress.error) && (
          <Alert severity="info">{t('publish.unanswered')}</Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={close} disabled={progress.kind === 'running'}>
          {shared('cancel')}
        </Button>
        <Button
          type="submit"
          variant="contained"
          color={flips > 0 ? 'error' : 'primary'}
          loading={progress.kind === 'running'}
          disabled={replay.kind === 'loading'}
        >
          {flips > 0 ? t('publish.anyway', { count: flips }) : t('edit.publish')}
        </Button>
      </DialogActions>
    </form>
  );
}
