import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../../ui/sections.tsx';
import { SaveBar } from '../save-bar.tsx';
import {
  ChoiceSetting,
  FlagSetting,
  findProblemAt,
  NumberSetting,
  useRangeProblem,
} from '../setting-fields.tsx';
import { isSame, SETTINGS, type SettingsForm } from '../settings-form.ts';
import { LimitsCard, SpendingCard, useBudgetProblem } from './budgets.tsx';
import { CountriesCard } from './countries.tsx';
import { DriverCard } from './driver.tsx';
import { withoutPunctuation } from './use-sms.ts';

/** Bounds of the number of messages of a project per day, and its value for new projects, as on the server. */
const PER_DAY = { least: 0, most: 1_000_000, absent: 500 } as const;
const PROOFS = ['REQUIRE', 'THROTTLED'] as const;
const FACTOR_USES = ['ALWAYS', 'RECOVERY'] as const;
const MAX_TEST_NUMBERS = 10;

/** The section for sign-in by phone: the SMS service, the countries and the limits. */
export function PhoneSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const rangeProblem = useRangeProblem();
  const budgetProblem = useBudgetProblem(form);
  const numbers = Object.entries<string>(Object(form.value(SETTINGS.testNumbers)));
  const problems = [
    rangeProblem(form.value(SETTINGS.smsPerDay), PER_DAY.least, PER_DAY.most),
    budgetProblem,
    areTestNumbers(numbers) ? undefined : t('phone.notNumbers'),
  ];
  return (
    <>
      <SectionCard title={t('section.phone')}>
        <FlagSetting form={form} name="phone" about={t('phone.about.phone')} isReadOnly={!form.mayOwn} />
      </SectionCard>
      <SectionCard title={t('setting.smsFactorUse')}>
        <ChoiceSetting
          form={form}
          name="smsFactorUse"
          isReadOnly={!form.mayOwn}
          options={FACTOR_USES.map((value) => ({
            value,
            label: t(`phone.${value}`),
            about: t(`phone.about.${value}`),
          }))}
        />
      </SectionCard>
      <CountriesCard form={form} />
      <DriverCard form={form} />
      <SectionCard title={t('phone.limits')}>
        <NumberSetting
          form={form}
          name="smsPerDay"
          about={t('phone.about.smsPerDay')}
          isReadOnly={!form.mayOwn}
          {...PER_DAY}
        />
        <ChoiceSetting
          form={form}
          name="smsProof"
          isReadOnly={!form.mayOwn}
          options={PROOFS.map((value) => ({
            value,
            label: t(`phone.${value}`),
            about: t(`phone.about.${value}`),
          }))}
        />
        <FlagSetting
          form={form}
          name="smsVoip"
          about={t('budgets.about.smsVoip')}
          isReadOnly={!form.mayOwn}
        />
      </SectionCard>
      <SpendingCard form={form} />
      <LimitsCard form={form} />
      <TestNumbersCard form={form} numbers={numbers} />
      <SaveBar form={form} problem={problems.find((problem) => problem !== undefined)} />
    </>
  );
}

type TestNumbers = readonly (readonly [phoneNumber: string, code: string])[];

/** Returns whether all fictional numbers have a number in international form and a code of six digits. */
export function areTestNumbers(numbers: TestNumbers): boolean {
  return (
    numbers.length <= MAX_TEST_NUMBERS &&
    numbers.every(([number, code]) => /^\+\d{5,15}$/.test(number) && /^\d{6}$/.test(code))
  );
}

/** Reads lines with a number and a code, such as `+1 650 555 0100 123456`. */
export function readTestNumbers(text: string): TestNumbers {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, number = line, code = ''] = /^(.*[^\s:=])[\s:=]+(\S+)$/.exec(line) ?? [];
      return [withoutPunctuation(number), code];
    });
}

interface TestNumbersCardProps {
  readonly form: SettingsForm;
  readonly numbers: TestNumbers;
}

/** Numbers that get no message, and always the same code. */
function TestNumbersCard({ form, numbers }: TestNumbersCardProps) {
  const { t } = useTranslation('sign-in');
  const [text, setText] = useState<string | null>(null);
  // The order of the numbers in the configuration can differ from that of the lines.
  const isShown =
    text !== null && isSame(Object.fromEntries(readTestNumbers(text)), Object.fromEntries(numbers));
  const wrong = areTestNumbers(numbers)
    ? findProblemAt(form.error, SETTINGS.testNumbers)
    : t('phone.notNumbers');
  return (
    <SectionCard title={t('setting.testNumbers')} about={t('phone.about.testNumbers')}>
      <TextField
        multiline
        minRows={2}
        maxRows={10}
        label={t('phone.numbers')}
        value={isShown ? text : numbers.map((entry) => entry.join(' ')).join('\n')}
        error={wrong !== undefined}
        helperText={wrong ?? t('phone.about.numbers')}
        onChange={(event) => {
          setText(event.target.value);
          form.set(SETTINGS.testNumbers, Object.fromEntries(readTestNumbers(event.target.value)));
        }}
        slotProps={{
          input: { readOnly: !form.mayOwn },
          htmlInput: { dir: 'ltr', spellCheck: false },
        }}
      />
    </SectionCard>
  );
}
