import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { AccountSearch } from './use-account-search.ts';
import { useAccountCount } from './use-accounts.ts';

/** Goes on from what begins with the text to what has it anywhere, and stops that. */
export function SearchActions({ search: { state, stop, restart } }: { readonly search: AccountSearch }) {
  const { t, i18n } = useTranslation('accounts');
  const [, setParameters] = useSearchParams();
  const total = useAccountCount();
  switch (state.kind) {
    case 'running':
      return (
        <Button variant="outlined" onClick={stop} sx={{ alignSelf: 'flex-start' }}>
          {t('search.stop')}
        </Button>
      );
    case 'none':
      return (
        <Button
          variant="outlined"
          onClick={() =>
            setParameters((before) => new URLSearchParams([...before, ['in', 'all']]), { replace: true })
          }
          sx={{ alignSelf: 'flex-start' }}
        >
          {total === undefined
            ? t('search.everywhere')
            : t('search.everywhereIn', { count: total, number: total.toLocaleString(i18n.language) })}
        </Button>
      );
    case 'stopped':
      return (
        <Button variant="outlined" onClick={restart} sx={{ alignSelf: 'flex-start' }}>
          {t('search.again')}
        </Button>
      );
    default:
      return null;
  }
}
