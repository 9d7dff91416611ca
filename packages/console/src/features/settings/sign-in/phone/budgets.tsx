import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../../ui/sections.tsx';
import { findProblemAt, useRangeProblem } from '../setting-fields.tsx';
import { isSame, SETTINGS, type SettingsForm } from '../settings-form.ts';
import { SwitchSetting } from '../switch-setting.tsx';
import { useCountryName } from './countries.tsx';

/** The limits that a project can change, with their values for new projects and their greatest values, as on the server. */
const LIMITS = {
  perCountryAndHour: { absent: 100, most: 1_000_000 },
  perNumberAndHour: { absent: 5, most: 1_000_000 },
  perNumberAndDay: { absent: 10, most: 1_000_000 },
  perAddressAndHour: { absent: 10, most: 1_000_000 },
  perAccountAndDay: { absent: 10, most: 1_000_000 },
  pauseSeconds: { absent: 30, most: 3_600 },
} as const;

const LIMIT_NAMES = Object.keys(LIMITS) as readonly (keyof typeof LIMITS)[];
/** The greatest amount and price, as on the server. */
const MAX_AMOUNT = 1_000_000;
/** What the console proposes when the user limits what a day costs. */
const PROPOSED: Spending = { perDay: 20, prices: { default: 0.1 } };

/** The limit of what a day costs, as in the configuration. */
export interface Spending {
  readonly perDay: number;
  /** Prices of a message by country, and by `default`. */
  readonly prices: Readonly<Record<string, number>>;
}

function readSpending(json: unknown): Spending | undefined {
  const { perDay, prices } = Object(json);
  return perDay === undefined ? undefined : { perDay: Number(perDay), prices: Object(prices) };
}

/** Returns whether the server accepts the amounts and the countries. */
export function isSpending({ perDay, prices }: Spending): boolean {
  return (
    [perDay, ...Object.values(prices)].every((amount) => amount >= 0 && amount <= MAX_AMOUNT) &&
    Object.keys(prices).every((country) => country === 'default' || /^[A-Z]{2}$/.test(country))
  );
}

/** Reads lines with a country and a price, such as `DE 0.08`. */
export function readPrices(text: string): Readonly<Record<string, number>> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, country = line, price = ''] = /^([^\s:=]+)[\s:=]+(\S+)$/.exec(line) ?? [];
      return [country.toUpperCase(), price === '' ? Number.NaN : Number(price.replace(',', '.'))];
    }),
  );
}

/** Returns the first problem of the budgets; `undefined` if they can be saved. */
export function useBudgetProblem(form: SettingsForm): string | undefined {
  const { t } = useTranslation('sign-in');
  const rangeProblem = useRangeProblem();
  const limits = Object(form.value(SETTINGS.smsLimits));
  const spending = readSpending(form.value(SETTINGS.smsSpending));
  return (
    LIMIT_NAMES.map((name) => rangeProblem(limits[name], 0, LIMITS[name].most)).find(
      (problem) => problem !== undefined,
    ) ?? (spending === undefined || isSpending(spending) ? undefined : t('budgets.notPrices'))
  );
}

/** How many messages one number, network, account or country gets. */
export function LimitsCard({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const rangeProblem = useRangeProblem();
  const path = SETTINGS.smsLimits;
  const limits: Readonly<Record<string, number>> = Object(form.value(path));
  return (
    <SectionCard title={t('setting.smsLimits')} about={t('budgets.about.limits')}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {LIMIT_NAMES.map((name) => {
          const { absent, most } = LIMITS[name];
          const value = limits[name] ?? absent;
          const wrong = rangeProblem(value, 0, most) ?? findProblemAt(form.error, `${path}.${name}`);
          return (
            <TextField
              key={name}
              type="number"
              label={t(`budgets.limit.${name}`)}
              value={Number.isNaN(value) ? '' : value}
              error={wrong !== undefined}
              helperText={wrong}
              onChange={({ target }) =>
                form.set(path, { ...limits, [name]: target.value === '' ? Number.NaN : Number(target.value) })
              }
              slotProps={{ input: { readOnly: !form.mayOwn }, htmlInput: { min: 0, max: most } }}
            />
          );
        })}
      </Box>
    </SectionCard>
  );
}

/** What the messages of a day may cost, and what a message costs in each country. */
export function SpendingCard({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const path = SETTINGS.smsSpending;
  const spending = readSpending(form.value(path));
  return (
    <SectionCard title={t('setting.smsSpending')} about={t('budgets.about.spending')}>
      <SwitchSetting
        label={t('budgets.limitSpending')}
        about={t('budgets.about.limitSpending')}
        isOn={spending !== undefined}
        isDisabled={!form.mayOwn}
        set={(isOn) => form.set(path, isOn ? PROPOSED : undefined)}
      />
      {spending === undefined ? (
        <Alert severity="warning">{t('budgets.unlimited')}</Alert>
      ) : (
        <SpendingFields form={form} spending={spending} />
      )}
    </SectionCard>
  );
}

interface SpendingFieldsProps {
  readonly form: SettingsForm;
  readonly spending: Spending;
}

function SpendingFields({ form, spending }: SpendingFieldsProps) {
  const { t } = useTranslation('sign-in');
  const path = SETTINGS.smsSpending;
  const { default: usual = Number.NaN, ...ofCountries } = spending.prices;
  const set = (part: Partial<Spending>): void => form.set(path, { ...spending, ...part });
  const amounts = [
    {
      name: 'perDay',
      at: `${path}.perDay`,
      value: spending.perDay,
      set: (perDay: number) => set({ perDay }),
    },
    {
      name: 'default',
      at: `${path}.prices.default`,
      value: usual,
      set: (price: number) => set({ prices: { ...ofCountries, default: price } }),
    },
  ] as const;
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {amounts.map((amount) => {
          const isValid = amount.value >= 0 && amount.value <= MAX_AMOUNT;
          const wrong = isValid ? findProblemAt(form.error, amount.at) : t('budgets.notAmount');
          return (
            <TextField
              key={amount.name}
              type="number"
              label={t(`budgets.amount.${amount.name}`)}
              value={Number.isNaN(amount.value) ? '' : amount.value}
              error={wrong !== undefined}
              helperText={wrong ?? t(`budgets.about.${amount.name}`)}
              onChange={({ target }) => amount.set(target.value === '' ? Number.NaN : Number(target.value))}
              slotProps={{
                input: { readOnly: !form.mayOwn },
                htmlInput: { min: 0, max: MAX_AMOUNT, step: 'any' },
              }}
            />
          );
        })}
      </Box>
      <PricesField
        form={form}
        prices={ofCountries}
        set={(prices) => set({ prices: { ...prices, default: usual } })}
      />
      <SpendingPreview {...spending} />
    </>
  );
}

interface PricesFieldProps {
  readonly form: SettingsForm;
  readonly prices: Readonly<Record<string, number>>;
  readonly set: (prices: Readonly<Record<string, number>>) => void;
}

/** The prices of the countries that have their own, one per line. */
function PricesField({ form, prices, set }: PricesFieldProps) {
  const { t } = useTranslation('sign-in');
  const [text, setText] = useState<string | null>(null);
  // The typed text stays as it is, with its empty lines, unless the edit was discarded.
  const isShown = text !== null && isSame(readPrices(text), prices);
  const wrong = isSpending({ perDay: 0, prices })
    ? findProblemAt(form.error, `${SETTINGS.smsSpending}.prices`)
    : t('budgets.notPrices');
  return (
    <TextField
      multiline
      minRows={2}
      maxRows={10}
      label={t('budgets.prices')}
      value={
        isShown
          ? text
          : Object.entries(prices)
              .map((entry) => entry.join(' '))
              .join('\n')
      }
      error={wrong !== undefined}
      helperText={wrong ?? t('budgets.about.prices')}
      onChange={({ target }) => {
        setText(target.value);
        set(readPrices(target.value));
      }}
      slotProps={{ input: { readOnly: !form.mayOwn }, htmlInput: { dir: 'ltr', spellCheck: false } }}
    />
  );
}

/** Says how many messages the amount allows in each country, while the user types. */
function SpendingPreview(spending: Spending) {
  const { t, i18n } = useTranslation('sign-in');
  const nameOf = useCountryName();
  if (!isSpending(spending)) return null;
  const { perDay, prices } = spending;
  const { default: usual = 0, ...ofCountries } = prices;
  const print = (price: number): string =>
    price === 0 ? '∞' : new Intl.NumberFormat(i18n.language).format(Math.floor(perDay / price + 1e-9));
  const rows = [
    ...Object.entries(ofCountries).map(([country, price]) => [nameOf(country), print(price)] as const),
    [t('budgets.others'), print(usual)] as const,
  ];
  return (
    <Box role="group" aria-label={t('budgets.preview')}>
      <Typography variant="body2" color="textSecondary">
        {t('budgets.preview')}
      </Typography>
      {rows.map(([country, number]) => (
        <Typography key={country} variant="body2">
          {t('budgets.messages', { country, number })}
        </Typography>
      ))}
    </Box>
  );
}
