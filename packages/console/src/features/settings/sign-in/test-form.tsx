import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TestOutcome } from '../../../api/settings.ts';
import { Failure } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';

interface TestFormProps {
  readonly type: 'email' | 'tel';
  /** The label of the recipient. */
  readonly label: string;
  /** The recipient at first. */
  readonly first: string;
  /** The reason why the message cannot be sent. */
  readonly problem?: string | undefined;
  readonly send: (to: string) => Promise<TestOutcome>;
  /** Returns the text for a message that the service accepted. */
  readonly accepted: (to: string) => string;
  /** The text before the answer of a service that did not accept the message. */
  readonly rejected: string;
}

type Progress =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'sent'; readonly to: string; readonly outcome: TestOutcome }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A form that sends a test message, and shows the answer of the service that sends it. */
export function TestForm({ type, label, first, problem, send, accepted, rejected }: TestFormProps) {
  const { t } = useTranslation('sign-in');
  const [to, setTo] = useState(first);
  const [progress, setProgress] = useState<Progress>({ kind: 'none' });
  async function run(): Promise<void> {
    setProgress({ kind: 'sending' });
    try {
      setProgress({ kind: 'sent', to, outcome: await send(to.trim()) });
    } catch (error) {
      setProgress({ kind: 'failed', error });
    }
  }
  return (
    <>
      <Box
        component="form"
        noValidate
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' }}
        onSubmit={(event: React.FormEvent) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextField
          type={type}
          label={label}
          value={to}
          helperText={problem}
          onChange={(event) => setTo(event.target.value)}
          slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false } }}
          sx={{ flex: '1 1 14rem' }}
        />
        <Button
          type="submit"
          variant="outlined"
          disabled={problem !== undefined || to.trim() === ''}
          loading={progress.kind === 'sending'}
        >
          {t('test.send')}
        </Button>
      </Box>
      {progress.kind === 'sent' &&
        (progress.outcome.outcome === 'accepted' ? (
          <Alert severity="success">{accepted(progress.to)}</Alert>
        ) : (
          <Alert severity="error">
            {rejected} <UntrustedText text={progress.outcome.reason} isCode />
          </Alert>
        ))}
      {progress.kind === 'failed' && <Failure error={progress.error} />}
    </>
  );
}
