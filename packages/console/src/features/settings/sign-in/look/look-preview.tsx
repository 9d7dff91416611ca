import { ThemeProvider } from '@emotion/react';
import { type AppLook, AppLookContext } from '@hearth/pages/shell/app-look.ts';
import { ActionButton, Field, Form } from '@hearth/pages/shell/form.tsx';
import { Card } from '@hearth/pages/shell/page-card.tsx';
import { pageTheme } from '@hearth/pages/shell/page-theme.ts';
import type { ColorScheme } from '@hearth/pages/shell/styles.ts';
import Box from '@mui/material/Box';
import { type Theme, useTheme } from '@mui/material/styles';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../../ui/sections.tsx';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = ['computer', 'phone'] as const;
type Width = (typeof WIDTHS)[number];

/** Width of a small phone, in pixels. */
const PHONE_PX = 320;

/** Returns a theme whose components look as in a narrow window, whatever the width of this window. */
function narrow(theme: Theme): Theme {
  return { ...theme, breakpoints: { ...theme.breakpoints, up: () => '@media not all' } };
}

/** Shows the sign-in page with a look in both color schemes, as wide as on a computer or a phone. */
export function LookPreview({ look }: { readonly look: AppLook }) {
  const { t } = useTranslation('sign-in');
  const [width, setWidth] = useState<Width>('computer');
  return (
    <SectionCard
      title={t('preview.title')}
      actions={
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-label={t('look.width')}
          value={width}
          onChange={(_event, chosen: Width | null) => setWidth(chosen ?? width)}
        >
          {WIDTHS.map((one) => (
            <ToggleButton key={one} value={one}>
              {t(`look.${one}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      }
    >
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 20rem), 1fr))',
        }}
      >
        {SCHEMES.map((scheme) => (
          <div key={scheme}>
            <Typography variant="body2" color="textSecondary" sx={{ marginBlockEnd: 0.5 }}>
              {t(`look.${scheme}`)}
            </Typography>
            <PagePicture look={look} scheme={scheme} width={width} />
          </div>
        ))}
      </Box>
    </SectionCard>
  );
}

interface PagePictureProps {
  readonly look: AppLook;
  readonly scheme: ColorScheme;
  readonly width: Width;
}

/** The sign-in page as a picture: it consists of the components of the page, but has no focus and no effect. */
function PagePicture({ look, scheme, width }: PagePictureProps) {
  const { t } = useTranslation('sign-in');
  const { direction } = useTheme();
  const theme = useMemo(() => {
    const themeOfPage = pageTheme(scheme, direction, look);
    return width === 'phone' ? narrow(themeOfPage) : themeOfPage;
  }, [scheme, direction, look, width]);
  const { background, text, divider } = theme.palette;
  return (
    <Box
      role="img"
      aria-label={t('look.picture', { scheme: t(`look.${scheme}`), name: look.name })}
      sx={{
        display: 'flex',
        justifyContent: 'center',
        maxWidth: width === 'phone' ? PHONE_PX : 'none',
        padding: 2,
        border: `1px solid ${divider}`,
        borderRadius: 1,
        color: text.primary,
        background: background.default,
        colorScheme: scheme,
      }}
    >
      {/* A function replaces the theme of the console, to which an object would be added. */}
      <ThemeProvider theme={() => theme}>
        <AppLookContext value={look}>
          <Box inert sx={{ display: 'flex', justifyContent: 'center', flex: 1, minWidth: 0 }}>
            <Card drawing="lock" heading={t('look.page.heading', { name: look.name })}>
              <SignInFields />
            </Card>
          </Box>
        </AppLookContext>
      </ThemeProvider>
    </Box>
  );
}

function ignore(): void {}

function SignInFields() {
  const { t } = useTranslation('sign-in');
  return (
    <Form>
      {(['email', 'password'] as const).map((field) => (
        <Field
          key={field}
          label={t(`look.page.${field}`)}
          type={field}
          autoComplete="off"
          value=""
          onChange={ignore}
          error=""
          inputRef={null}
        />
      ))}
      <ActionButton label={t('look.page.submit')} onPress={ignore} />
    </Form>
  );
}
