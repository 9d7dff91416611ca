import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { showControls } from '../../ui/text.tsx';
import { useProviderName } from './account-text.tsx';
import { type ChosenFilter, FILTER_NAMES, isFiltered, withChosen } from './filter.ts';

/** Shows the active filters of the account list. Each is a button that removes it. */
export function FilterChips({ chosen }: { readonly chosen: ChosenFilter }) {
  const { t } = useTranslation('accounts');
  const [, setParameters] = useSearchParams();
  const printFilter = usePrintFilter();
  const set = (next: ChosenFilter): void => setParameters((before) => withChosen(before, next));
  if (!isFiltered(chosen)) return null;
  const active = FILTER_NAMES.filter((name) => chosen[name] !== undefined);
  return (
    <Box
      role="group"
      aria-label={t('filter.active')}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}
    >
      {active.map((name) => {
        const { [name]: _removed, ...others } = chosen;
        const text = printFilter(chosen, name);
        return (
          <Chip
            key={name}
            component="button"
            label={text}
            aria-label={t('filter.remove', { filter: text })}
            onClick={() => set(others)}
            onDelete={() => set(others)}
            sx={{ maxWidth: '100%' }}
          />
        );
      })}
      {active.length > 1 && (
        <Button size="small" onClick={() => set({})}>
          {t('filter.clear')}
        </Button>
      )}
    </Box>
  );
}

/** Returns a function that prints a part of a filter, such as `State: Disabled`. */
function usePrintFilter(): (chosen: ChosenFilter, name: keyof ChosenFilter) => string {
  const { t } = useTranslation('accounts');
  const printProvider = useProviderName();
  return ({ state, provider, claim, seen }, name) => {
    const value = {
      state: state && t(`filter.states.${state}`),
      provider: provider && printProvider(provider),
      claim: claim && `\u2068${showControls(claim)}\u2069`,
      seen: seen && t(`filter.seens.${seen}`),
    }[name];
    return `${t(`filter.${name}`)}: ${value ?? ''}`;
  };
}
