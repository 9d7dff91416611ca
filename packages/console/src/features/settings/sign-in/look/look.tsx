import { MAX_CORNER_RADIUS } from '@hearth/core/api/page-theme.ts';
import type { AppLook } from '@hearth/pages/shell/app-look.ts';
import { USUAL_CORNER_RADIUS } from '@hearth/pages/shell/page-theme.ts';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectId } from '../../../../session/session.ts';
import { SectionCard } from '../../../../ui/sections.tsx';
import { SaveBar } from '../save-bar.tsx';
import { findProblemAt, NumberSetting, useRangeProblem } from '../setting-fields.tsx';
import { SETTINGS, type SettingsForm } from '../settings-form.ts';
import { ColorSetting, colorOf, useColorProblem } from './color-setting.tsx';
import { LogoSetting, logoOf } from './logo-setting.tsx';
import { LookPreview } from './look-preview.tsx';

/** Returns how the pages look with the settings as typed. */
function useTypedLook(form: SettingsForm): AppLook {
  const project = useProjectId();
  const name = String(form.value(SETTINGS.appName) ?? '').trim() || project;
  const light = colorOf(form, 'light');
  const dark = colorOf(form, 'dark');
  const typedRadius = radiusOf(form);
  // While the number is not valid, the pictures keep the usual corners.
  const cornerRadius = isRadius(typedRadius) ? typedRadius : undefined;
  const logo = logoOf(form);
  return useMemo(
    () => ({
      name,
      tenantName: undefined,
      colors: { ...(light === undefined ? {} : { light }), ...(dark === undefined ? {} : { dark }) },
      cornerRadius,
      logo,
    }),
    [name, light, dark, cornerRadius, logo],
  );
}

function radiusOf(form: SettingsForm): unknown {
  return form.value(SETTINGS.cornerRadius) ?? USUAL_CORNER_RADIUS;
}

function isRadius(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_CORNER_RADIUS;
}

/** The section for the name, the colors, the corners and the logo of the pages that the users of the app see. */
export function LookSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const project = useProjectId();
  // A color picker reports many colors in a second, and each creates styles.
  const look = useDeferredValue(useTypedLook(form));
  const problemOf = useColorProblem(form);
  const rangeProblem = useRangeProblem();
  const wrongName = findProblemAt(form.error, SETTINGS.appName);
  return (
    <>
      <SectionCard title={t('look.title')} about={t('look.about')}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: 'repeat(3, 1fr)' } }}>
          <TextField
            label={t('setting.appName')}
            value={String(form.value(SETTINGS.appName) ?? '')}
            error={wrongName !== undefined}
            helperText={wrongName ?? t('look.appName', { project })}
            onChange={({ target }) => form.set(SETTINGS.appName, target.value)}
            slotProps={{ input: { readOnly: !form.mayOwn }, htmlInput: { dir: 'auto', spellCheck: false } }}
          />
          <ColorSetting form={form} scheme="light" />
          <ColorSetting form={form} scheme="dark" />
          <NumberSetting
            form={form}
            name="cornerRadius"
            about={t('look.cornerRadius')}
            isReadOnly={!form.mayOwn}
            least={0}
            most={MAX_CORNER_RADIUS}
            absent={USUAL_CORNER_RADIUS}
          />
        </Box>
      </SectionCard>
      <LogoSetting form={form} />
      <LookPreview look={look} />
      <SaveBar
        form={form}
        problem={
          problemOf('light') ?? problemOf('dark') ?? rangeProblem(radiusOf(form), 0, MAX_CORNER_RADIUS)
        }
      />
    </>
  );
}
