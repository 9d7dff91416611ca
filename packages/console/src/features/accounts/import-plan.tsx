import Alert from '@mui/material/Alert';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { ForeignText } from '../../elements/foreign-text.tsx';
import type { HashChoice } from './hash-algorithms.ts';
import { HashForm } from './hash-form.tsx';
import type { Survey } from './survey.ts';

interface ImportPlanProps {
  readonly name: string;
  readonly survey: Survey;
  readonly hash: HashChoice;
  readonly setHash: (hash: HashChoice) => void;
  readonly mayOverwrite: boolean;
  readonly setMayOverwrite: (mayOverwrite: boolean) => void;
}

/** What a file has, and what else must be said before it is imported. */
export function ImportPlan({ name, survey, hash, setHash, mayOverwrite, setMayOverwrite }: ImportPlanProps) {
  const { t } = useTranslation('accounts');
  const { accounts, passwords, nameless, doubles, appFactors, needsParameters } = survey;
  return (
    <>
      <Typography role="status">
        <ForeignText text={name} isCode /> · {t('import.accounts', { count: accounts })} ·{' '}
        {t('import.passwords', { count: passwords })}
      </Typography>
      {nameless > 0 && <Alert severity="warning">{t('import.nameless', { count: nameless })}</Alert>}
      {doubles > 0 && <Alert severity="warning">{t('import.doubles', { count: doubles })}</Alert>}
      {appFactors > 0 && <Alert severity="info">{t('import.appFactors', { count: appFactors })}</Alert>}
      {needsParameters && <HashForm hash={hash} setHash={setHash} />}
      <FormControlLabel
        control={
          <Switch checked={mayOverwrite} onChange={(event) => setMayOverwrite(event.target.checked)} />
        }
        label={t('import.overwrite')}
      />
    </>
  );
}
