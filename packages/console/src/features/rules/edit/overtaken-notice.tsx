import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { RulesVersion } from '../../../server/rules.ts';
import { usePrintAuthor } from '../use-print-author.ts';

interface OvertakenNoticeProps {
  readonly version: RulesVersion | null;
  readonly merge: () => void;
}

/** Somebody else has published since the draft was begun. */
export function OvertakenNotice({ version, merge }: OvertakenNoticeProps) {
  const { t } = useTranslation('rules');
  const printAuthor = usePrintAuthor();
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" size="small" onClick={merge}>
          {t('merge.open')}
        </Button>
      }
    >
      {version === null
        ? t('merge.overtakenInitial')
        : t('merge.overtaken', { id: version.id, author: printAuthor(version.author) })}
    </Alert>
  );
}
