import Autocomplete from '@mui/material/Autocomplete';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../../ui/sections.tsx';
import { findProblemAt } from '../setting-fields.tsx';
import { SETTINGS, type SettingsForm } from '../settings-form.ts';

/** Countries and territories with telephone numbers of their own, in two letters. */
const COUNTRIES =
  'AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  );

/** To which countries the project sends text messages. */
export interface Regions {
  readonly kind: (typeof KINDS)[number];
  readonly countries: readonly string[];
}

const KINDS = ['only', 'all-except'] as const;

/** Decodes `smsRegionConfig`. */
export function decodeRegions(json: unknown): Regions {
  const { allowByDefault, allowlistOnly } = Object(json);
  const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
  return allowByDefault === undefined
    ? { kind: 'only', countries: list(Object(allowlistOnly).allowedRegions) }
    : { kind: 'all-except', countries: list(Object(allowByDefault).disallowedRegions) };
}

export function encodeRegions({ kind, countries }: Regions): Readonly<Record<string, unknown>> {
  return kind === 'only'
    ? { allowlistOnly: { allowedRegions: countries } }
    : { allowByDefault: { disallowedRegions: countries } };
}

/** Returns a function that names a country in the language of the page. */
export function useCountryName(): (country: string | null) => string {
  const { t, i18n } = useTranslation('sign-in');
  const names = useMemo(() => new Intl.DisplayNames(i18n.language, { type: 'region' }), [i18n.language]);
  return (country) => (country === null ? t('sms.noCountry') : (names.of(country) ?? country));
}

/** The countries whose numbers get text messages. */
export function CountriesCard({ form }: { readonly form: SettingsForm }) {
  const { t, i18n } = useTranslation('sign-in');
  const nameOf = useCountryName();
  const regions = decodeRegions(form.value(SETTINGS.smsRegions));
  const set = (part: Partial<Regions>): void =>
    form.set(SETTINGS.smsRegions, encodeRegions({ ...regions, ...part }));
  const wrong = findProblemAt(form.error, SETTINGS.smsRegions);
  const { compare } = new Intl.Collator(i18n.language);
  const options = [...new Set([...COUNTRIES, ...regions.countries])].sort((a, b) =>
    compare(nameOf(a), nameOf(b)),
  );
  return (
    <SectionCard title={t('setting.smsRegions')} about={t('phone.about.smsRegions')}>
      <RadioGroup
        aria-label={t('setting.smsRegions')}
        value={regions.kind}
        onChange={(event) => set({ kind: KINDS.find((kind) => kind === event.target.value) ?? 'only' })}
      >
        {KINDS.map((kind) => (
          <FormControlLabel
            key={kind}
            value={kind}
            disabled={!form.mayOwn}
            control={<Radio />}
            label={t(`phone.${kind}`)}
          />
        ))}
      </RadioGroup>
      <Autocomplete
        multiple
        disableCloseOnSelect
        readOnly={!form.mayOwn}
        options={options}
        value={[...regions.countries]}
        getOptionLabel={nameOf}
        onChange={(_event, countries) => set({ countries })}
        renderInput={(parameters) => (
          <TextField
            {...parameters}
            label={t('phone.countries')}
            error={wrong !== undefined}
            helperText={
              wrong ??
              (regions.kind === 'only' && regions.countries.length === 0 ? t('phone.noneAllowed') : '')
            }
          />
        )}
      />
    </SectionCard>
  );
}
