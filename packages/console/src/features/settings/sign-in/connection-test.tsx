import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Api } from '../../../api/client.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { Failure } from '../../../ui/states.tsx';

/** A result of a test. */
export interface TestedPart {
  readonly key: string;
  readonly isGood: boolean;
  readonly content: ReactNode;
}

interface ConnectionTestProps {
  /** The label of the button. */
  readonly label: string;
  readonly about: string;
  readonly test: (api: Api, project: string) => Promise<readonly TestedPart[]>;
}

type Progress =
  | { readonly kind: 'idle' | 'running' }
  | { readonly kind: 'done'; readonly parts: readonly TestedPart[] }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A button that tests saved settings against another server, and what the test found. */
export function ConnectionTest({ label, about, test }: ConnectionTestProps) {
  const { t } = useTranslation('sign-in');
  const api = useApi();
  const project = useProjectId();
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  async function run(): Promise<void> {
    setProgress({ kind: 'running' });
    try {
      setProgress({ kind: 'done', parts: await test(api, project) });
    } catch (error) {
      setProgress({ kind: 'failed', error });
    }
  }
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1, alignItems: 'start' }}>
      <Button
        variant="outlined"
        aria-label={label}
        loading={progress.kind === 'running'}
        onClick={() => void run()}
      >
        {t('providers.test.run')}
      </Button>
      <Typography variant="body2" color="textSecondary">
        {about}
      </Typography>
      <Box role="status" sx={{ display: 'flex', flexDirection: 'column', gap: 1, width: '100%' }}>
        {progress.kind === 'done' &&
          progress.parts.map(({ key, isGood, content }) => (
            <Alert key={key} role="presentation" severity={isGood ? 'success' : 'error'}>
              {content}
            </Alert>
          ))}
        {progress.kind === 'failed' && <Failure error={progress.error} />}
      </Box>
    </Box>
  );
}
